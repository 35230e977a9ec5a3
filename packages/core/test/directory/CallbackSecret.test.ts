import { parseCallbackSecret } from "@pixcharge/core/directory"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const makeBytes = (length: { readonly minLength: number; readonly maxLength: number }) => fc.uint8Array(length)

const spellings = (bytes: Uint8Array): ReadonlyArray<string> => {
  const padded = Buffer.from(bytes).toString("base64")
  const unpadded = padded.replace(/=+$/, "")
  const url = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_")
  return [padded, unpadded, url(padded), url(unpadded)].map((text) => `whsec_${text}`)
}

describe("parseCallbackSecret", () => {
  it("reads 24 to 64 bytes, in either alphabet, padded or not", () => {
    fc.assert(
      fc.property(makeBytes({ minLength: 24, maxLength: 64 }), (bytes) => {
        for (const text of spellings(bytes)) expect(parseCallbackSecret(text)).toEqual(bytes)
      }),
      { examples: [[new Uint8Array(24)], [new Uint8Array(64)]] },
    )
  })

  it("refuses fewer than 24 and more than 64 bytes", () => {
    const { sample } = fc
    const short = sample(makeBytes({ minLength: 0, maxLength: 23 }), 50)
    const long = sample(makeBytes({ minLength: 65, maxLength: 100 }), 50)
    for (const bytes of [...short, new Uint8Array(23), ...long, new Uint8Array(65)]) {
      for (const text of spellings(bytes)) expect(parseCallbackSecret(text)).toBeUndefined()
    }
  })

  const good = Buffer.alloc(32, 7).toString("base64")

  it.each([
    ["", "empty"],
    ["whsec_", "empty after the prefix"],
    ["whsec_=", "only padding"],
    ["whsec_====", "only padding"],
    ["whsec_A", "less than one byte"],
    ["whsec_a=b", "with padding in its middle"],
    [good, "without the prefix"],
    [`WHSEC_${good}`, "with another prefix"],
    [` whsec_${good}`, "with a space before it"],
    [`whsec_${good}=`, "padded too much"],
    [`whsec_${good.slice(0, -1)}==`, "padded too much"],
    [`whsec_${good.slice(0, -3)}=`, "padded too little"],
    [`whsec_${good.slice(0, -1)}A==`, "padded for another length"],
    [`whsec_${good.slice(0, -1)}AA`, "of a length that Base64 can't have"],
    [`whsec_ ${good}`, "with a space"],
    [`whsec_${good}\n`, "with a line break"],
    [`whsec_${good.slice(0, 20)}!${good.slice(21)}`, "with another character"],
    [`whsec_${good.slice(0, 20)}=${good.slice(21)}`, "with padding in its middle"],
    [`whsec_${good}${good.replaceAll("=", "")}`, "with padding in its middle"],
  ])("refuses %j: %s", (text) => {
    expect(parseCallbackSecret(text)).toBeUndefined()
  })
})
