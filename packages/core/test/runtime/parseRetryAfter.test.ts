import { expect, it } from "vitest"
import { parseRetryAfter } from "../../src/runtime/parseRetryAfter.ts"

const nowMs = Date.UTC(2026, 10, 20, 12)

it.each<readonly [string, number | undefined]>([
  ["7", 7_000],
  ["0", 0],
  [" 120 ", 120_000],
  ["999999999", 999_999_999_000],
  ["Fri, 20 Nov 2026 12:00:09 GMT", 9_000],
  ["Friday, 20-Nov-26 12:00:09 GMT", 9_000],
  ["Wednesday, 25-Nov-26 12:00:00 GMT", 432_000_000],
  ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
])("parses the Retry-After %j", (header, expected) => {
  expect(parseRetryAfter(header, nowMs)).toBe(expected)
})

it.each([
  "",
  "-5",
  "1.5",
  "+3",
  "1e3",
  "9999999999",
  "soon",
  "Fri, 99 Nov 2026 12:00:09 GMT",
  "Fr, 20 Nov 2026 12:00:09 GMT",
  "Wednesdays, 25 Nov 2026 12:00:09 GMT",
  "fri, 20 Nov 2026 12:00:09 GMT",
  "on Fri, 20 Nov 2026 12:00:09 GMT",
  "2026-11-20T12:00:09Z",
])("ignores the Retry-After %j", (header) => {
  expect(parseRetryAfter(header, nowMs)).toBeUndefined()
})
