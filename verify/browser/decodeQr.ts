import { Buffer } from "node:buffer"
import jsqr from "jsqr"
import { PNG } from "pngjs"

/** The content of the QR code in a picture; undefined if it has none. The decoder is independent of our encoder. */
export const decodeQr = (png: Uint8Array): string | undefined => {
  const { data, width, height } = PNG.sync.read(Buffer.from(png))
  return jsqr.default(new Uint8ClampedArray(data), width, height, { inversionAttempts: "dontInvert" })?.data
}
