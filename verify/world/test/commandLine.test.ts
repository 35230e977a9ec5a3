import { afterEach, expect, it, vi } from "vitest"
import { wholeNumber } from "../commandLine.ts"

afterEach(() => vi.restoreAllMocks())

it("takes a whole number", () => {
  expect(wholeNumber("seeds", "3000")).toBe(3_000)
})

it.each(["0", "-1", "1.5", "3_000", "1e3", "", "many"])("ends the command with an error for %j", (text) => {
  vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`ended with ${code}`)
  })
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true)
  expect(() => wholeNumber("seeds", text)).toThrow("ended with 1")
  expect(written).toHaveBeenCalledWith(`--seeds must be a whole number of 1 or more, but is ${text}\n`)
})
