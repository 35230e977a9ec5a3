import { qrModules } from "./qrModules.ts"

/** The dark modules of a row, neighbours as one stroke along its middle: shorter than as many rectangles. */
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
 * The QR code of a copy-and-paste code as SVG, of any size.
 *
 * It is black on white with its quiet zone, and has a label. Throws `InvalidBrCode` for an invalid code.
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
