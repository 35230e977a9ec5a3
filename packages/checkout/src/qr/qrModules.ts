import { InvalidBrCode } from "@pixcharge/core/brcode"
import { encodeQR } from "qr"

/** API Pix holds a code to so many characters (`pixCopiaECola`). */
const longest = 512

/** What every BR Code begins with: field 00, the payload format. */
const beginning = "000201"

const checkCode = (brCode: string): void => {
  const refuse = (rule: "text" | "size" | "first", message: string): never => {
    throw new InvalidBrCode({ field: "code", rule, message: `code ${message}` })
  }
  if (typeof brCode !== "string") refuse("text", "is a text, as issuing a charge answers it in brCode")
  if (brCode.length > longest) refuse("size", `has ${brCode.length} characters, ${longest} at most`)
  if (!brCode.startsWith(beginning)) refuse("first", `begins with ${beginning}: give the copy-and-paste code, as it is`)
}

/** Modules of white around the symbol, without which it is not found on a dark ground (ISO/IEC 18004, 4X). */
const quietZone = 4

/**
 * The modules of a code's QR symbol, row by row, quiet zone included; true is dark. Error correction is M, which restores
 * 15 %. Throws `InvalidBrCode` for what can't be a code.
 */
export const qrModules = (brCode: string): ReadonlyArray<ReadonlyArray<boolean>> => {
  checkCode(brCode)
  return encodeQR(brCode, "raw", { ecc: "medium", border: quietZone })
}
