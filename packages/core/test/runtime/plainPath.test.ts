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
])("turns the URL %j into the path %j", (url, path) => {
  expect(plainPath(url)).toBe(path)
})
