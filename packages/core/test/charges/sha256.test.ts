import fc from "fast-check"
import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { sha256 } from "../../src/model/charge/sha256.ts"

const byNode = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

it("sha256 agrees with Node for every length near a block's end, and for any text", () => {
  for (let length = 0; length <= 200; length++) expect(sha256("~".repeat(length))).toBe(byNode("~".repeat(length)))
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => sha256(text) === byNode(text)))
})
