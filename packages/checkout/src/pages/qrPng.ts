import { encode } from "fast-png"
import { qrModules } from "@pixcharge/web"

/** Enough pixels for an email, or for 5 cm of paper at 300 dpi. */
const minWidth = 600

/** Packs eight pixels into a byte. The first pixel is the highest bit; a light pixel is 1. */
const packLine = (row: ReadonlyArray<boolean>, scale: number): Uint8Array => {
  const width = row.length * scale
  const line = new Uint8Array(Math.ceil(width / 8))
  for (let x = 0; x < width; x++) {
    if (!row[Math.trunc(x / scale)]) line[x >> 3] = (line[x >> 3] ?? 0) | (0x80 >> (x & 7))
  }
  return line
}

/**
 * The QR code of a copy-and-paste code as PNG, for example for emails, which don't show SVG.
 *
 * The picture has one bit per pixel and is at least 600 pixels wide, including the quiet zone. Throws `InvalidBrCode` for an
 * invalid code.
 */
export const qrPng = (brCode: string): Uint8Array => {
  const rows = qrModules(brCode)
  const scale = Math.ceil(minWidth / rows.length)
  const width = rows.length * scale
  const lineBytes = Math.ceil(width / 8)
  const data = new Uint8Array(lineBytes * width)
  for (const [y, row] of rows.entries()) {
    const line = packLine(row, scale)
    for (let index = y * scale; index < (y + 1) * scale; index++) data.set(line, index * lineBytes)
  }
  return encode({ width, height: width, channels: 1, depth: 1, data })
}
