import { Buffer } from "node:buffer"
import jsqr from "jsqr"
import { PNG } from "pngjs"

/** Uses a decoder independent of our encoder; undefined without a code. */
export const decodeQr = (png: Uint8Array): string | undefined => {
  const { data, width, height } = PNG.sync.read(Buffer.from(png))
  return jsqr.default(new Uint8ClampedArray(data), width, height, { inversionAttempts: "dontInvert" })?.data
}
