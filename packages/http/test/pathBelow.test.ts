import { expect, it } from "vitest"
import { pathBelow } from "../src/paths.ts"

it.each([
  ["/payments/api/pix?x=1", "/payments", "/api/pix?x=1"],
  ["/payments/api/pix", "/payments/", "/api/pix"],
  ["/v1/payments/api%2Fpix", "/:version/payments", "/api%2Fpix"],
  ["/payments?x=1", "/payments", "/?x=1"],
  ["/payments", "/payments", "/"],
  ["/payments", "/v1/payments", "/"],
  ["/api/pix", "", "/api/pix"],
])("finds for %s below the mount %j the path %s", (url, prefix, path) => {
  expect(pathBelow(url, prefix)).toBe(path)
})
