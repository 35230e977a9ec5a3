import { expect, it } from "vitest"
import { checkResponder } from "../src/Responder.ts"

it("accepts any object with the method respond", () => {
  expect(() => checkResponder("pixRouter", { respond: () => undefined })).not.toThrow()
})

it.each([
  [Promise.resolve(), ", and was given a promise of it: await it first."],
  [{}, "."],
  [undefined, "."],
])("rejects %s, and says what to pass", (given, rest) => {
  const message = `pixRouter needs what createPix returns, or an app such as the portal${rest}`
  expect(() => checkResponder("pixRouter", given)).toThrow(
    expect.objectContaining({ _tag: "InvalidOption", message }) as Error,
  )
})
