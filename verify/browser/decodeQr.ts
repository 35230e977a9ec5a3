import { Buffer } from "node:buffer"
import jsqr from "jsqr"
import { PNG } from "pngjs"

/** What a camera would read in a picture in PNG, by a decoder that knows nothing of what drew it; undefined: no code. */
export const decodeQr = (png: Uint8Array): string | undefined => {
  const { data, width, height } = PNG.sync.read(Buffer.from(png))
  return jsqr.default(new Uint8ClampedArray(data), width, height, { inversionAttempts: "dontInvert" })?.data
}
