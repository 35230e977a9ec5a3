import { expect, it } from "vitest"
import { plainPath } from "../../src/runtime/exchange.ts"

it.each([
  ["", ""],
  ["/", ""],
  ["?a=b", ""],
  ["/status", "/status"],
  ["/status/", "/status"],
  ["//webhooks///pix//?a=/b/", "/webhooks/pix"],
  ["/status?a=b?c", "/status"],
])("the path of %j is %j", (url, path) => {
  expect(plainPath(url)).toBe(path)
})
