import type { ChargeId } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import type { Signature } from "@pixcharge/http"
import { Buffer } from "node:buffer"

/** What a link says: which charge may be looked at, and until when. Nothing of the payer. */
export interface Capability {
  readonly issuer: Cnpj
  readonly id: ChargeId
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** What capabilities are signed for; another layout of their bytes needs another purpose. */
export const capabilityPurpose = "checkout link 1"

const cnpjBytes = 14
const idBytes = 16
const momentBytes = 6
const size = cnpjBytes + idBytes + momentBytes
/** 36 bytes are 48 characters of Base64url, of which every bit is read. */
const termsLength = 48
/** What no capability is longer than: a kid of 200 bytes, and its signature. */
const longest = 400

const uuidText = (bytes: Buffer): string =>
  bytes.toString("hex").replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5")

/** The capability as a text of letters, digits, `-` and `_`; the same one is the same text while the key is the same. */
export const formatCapability = ({ issuer, id, expiresAt }: Capability, { sign }: Signature): string => {
  const bytes = Buffer.alloc(size)
  bytes.write(issuer)
  bytes.write(id.replaceAll("-", ""), cnpjBytes, "hex")
  bytes.writeUIntBE(expiresAt, cnpjBytes + idBytes, momentBytes)
  const terms = bytes.toString("base64url")
  return `${terms}${sign(terms)}`
}

/** What a text of a stranger's says, if we signed it; undefined for any other text, at the cost of one HMAC at most. */
export const parseCapability = (text: string, { verify }: Signature): Capability | undefined => {
  if (text.length > longest) return undefined
  const terms = text.slice(0, termsLength)
  if (!verify(terms, text.slice(termsLength))) return undefined
  const bytes = Buffer.from(terms, "base64url")
  return {
    issuer: bytes.subarray(0, cnpjBytes).toString() as Cnpj,
    id: uuidText(bytes.subarray(cnpjBytes, cnpjBytes + idBytes)) as ChargeId,
    expiresAt: bytes.readUIntBE(cnpjBytes + idBytes, momentBytes),
  }
}
