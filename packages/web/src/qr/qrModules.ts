import { InvalidBrCode } from "@pixcharge/core/brcode"
import { encodeQR } from "qr"

/** API Pix allows a code no more characters (`pixCopiaECola`). */
const maxLength = 512

/** Every BR Code begins with field 00, the payload format. */
const beginning = "000201"

const checkCode = (brCode: string): void => {
  const refuse = (rule: "text" | "size" | "first", message: string): never => {
    throw new InvalidBrCode({ field: "code", rule, message: `code ${message}` })
  }
  if (typeof brCode !== "string") refuse("text", "is a text, as brCode of an issued charge")
  if (brCode.length > maxLength) refuse("size", `has ${brCode.length} characters, ${maxLength} at most`)
  if (!brCode.startsWith(beginning)) refuse("first", `begins with ${beginning}: give the copy-and-paste code, as it is`)
}

/** Modules of white around the symbol: readers need it on a dark ground (ISO/IEC 18004, 4X). */
const quietZone = 4

/**
 * The modules of a code's QR symbol, row by row, quiet zone included; true is dark.
 *
 * Error correction is M, which restores 15 %. Throws `InvalidBrCode` for an invalid code.
 */
export const qrModules = (brCode: string): ReadonlyArray<ReadonlyArray<boolean>> => {
  checkCode(brCode)
  return encodeQR(brCode, "raw", { ecc: "medium", border: quietZone })
}
