import { Buffer } from "node:buffer"

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47])
const jpegStart = Buffer.from([0xff, 0xd8, 0xff])

/** A text after the XML declaration and comments at its start. */
const skipProlog = (text: string): string => {
  const rest = text.trimStart()
  const [begin, end] = rest.startsWith("<?xml") ? ["<?xml", "?>"] : ["<!--", "-->"]
  const at = rest.startsWith(begin) ? rest.indexOf(end, begin.length) : -1
  return at < 0 ? rest : skipProlog(rest.slice(at + end.length))
}

/** The media type of a picture by its first bytes: PNG, JPEG, WebP or SVG; undefined for anything else. */
export const logoType = (bytes: Uint8Array): string | undefined => {
  const start = Buffer.from(bytes.subarray(0, 1024))
  const startsWith = (expected: Buffer): boolean => start.subarray(0, expected.length).equals(expected)
  if (startsWith(pngStart)) return "image/png"
  if (startsWith(jpegStart)) return "image/jpeg"
  if (start.toString("latin1", 0, 4) === "RIFF" && start.toString("latin1", 8, 12) === "WEBP") return "image/webp"
  return /^<svg[\s>]/.test(skipProlog(start.toString())) ? "image/svg+xml" : undefined
}
