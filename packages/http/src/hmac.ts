import type { Buffer } from "node:buffer"
import { createHmac } from "node:crypto"

/** HMAC-SHA256 of a text in UTF-8. */
export const hmac = (secret: string | Buffer, text: string): Buffer =>
  createHmac("sha256", secret).update(text, "utf8").digest()
