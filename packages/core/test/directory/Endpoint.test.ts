import { expect, it } from "vitest"
import { endpointHost } from "../../src/model/directory/Endpoint.ts"

it.each([
  ["https://loja.example.com/pix/segredo", "loja.example.com"],
  ["http://usuario:senha@loja.example.com:8443?segredo", "loja.example.com:8443"],
  ["https://usuario:senha@/pix", ""],
  ["loja.example.com/pix", undefined],
])("endpointHost shows only the host of the URL %s: %j", (url, host) => {
  expect(endpointHost({ target: { _tag: "Http", url, secrets: [] } })).toBe(host)
})

it("endpointHost is undefined for an endpoint that is a function, not a URL", () => {
  expect(endpointHost({ target: { _tag: "Host" } })).toBeUndefined()
})
