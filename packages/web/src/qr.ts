import { InvalidBrCode } from "@pixcharge/core/brcode"
import { encodeQR } from "qr"

/** The maximum length of `pixCopiaECola` in API Pix, in characters. */
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

/** The width in modules of the white border that readers need on a dark background (ISO/IEC 18004, 4X). */
const quietZone = 4

/**
 * The modules of a code's QR symbol by row, including the quiet zone; true is dark.
 *
 * Its error correction M restores 15 % of a damaged symbol. Throws `InvalidBrCode` for an invalid code.
 */
export const qrModules = (brCode: string): ReadonlyArray<ReadonlyArray<boolean>> => {
  checkCode(brCode)
  return encodeQR(brCode, "raw", { ecc: "medium", border: quietZone })
}

const rowPath = (row: ReadonlyArray<boolean>, y: number): string => {
  let path = ""
  for (let x = row.indexOf(true); x >= 0;) {
    const end = row.indexOf(false, x)
    path += `M${x} ${y}.5h${end - x}`
    x = row.indexOf(true, end)
  }
  return path
}

/**
 * The QR code of a copy-and-paste code as SVG, scalable to any size.
 *
 * It is black on white, with its quiet zone and a label. Throws `InvalidBrCode` for an invalid code.
 *
 * @example
 * import { qrSvg } from "@pixcharge/checkout"
 *
 * const svg = qrSvg(charge.brCode)
 */
export const qrSvg = (brCode: string): string => {
  const rows = qrModules(brCode)
  const size = rows.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="QR Code Pix"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" d="${rows.map(rowPath).join("")}"/></svg>`
}
