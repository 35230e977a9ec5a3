import { decodeText } from "@pixcharge/http/binding"
import { expect, it } from "vitest"
import { readBody } from "../src/exchangeBody.ts"

const pieces = async function* (...texts: ReadonlyArray<Uint8Array>) {
  yield* texts
}

it("rejects invalid UTF-8 without repairing it", () => {
  const bytes = Uint8Array.of(0x22, 0xff, 0x22)
  expect(decodeText(bytes)).toEqual({ _tag: "Unreadable", bytes })
  expect(decodeText(new TextEncoder().encode("ção"))).toEqual({ _tag: "Text", text: "ção" })
})

it("joins a body's pieces, and reads a missing body as empty", async () => {
  const bytes = new TextEncoder().encode("ção")
  expect(await readBody(pieces(bytes.subarray(0, 1), bytes.subarray(1)), 5)).toEqual({ _tag: "Text", text: "ção" })
  expect(await readBody(pieces(bytes), 4)).toEqual({ _tag: "TooLarge" })
  expect(await readBody(null, 0)).toEqual({ _tag: "Text", text: "" })
})
