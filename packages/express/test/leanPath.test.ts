import { afterEach, expect, it, vi } from "vitest"
import { makeHttpClient, immediate, post, actors, makeSandbox, basicSecret } from "@pixcharge/adapter-tests/conformance"
import { expressAfterJson, expressBare } from "./mounts.ts"

afterEach(() => vi.unstubAllGlobals())

it.each([
  ["Express", expressBare],
  ["Express after express.json()", expressAfterJson],
])("answers a call through %s without a web Request, Response or AbortController", async (_, mount) => {
  await using pix = makeSandbox()
  const mounted = await mount(pix)
  const client = makeHttpClient(mounted.baseUrl)
  const token = await client.call({ method: "GET", path: `/api/token/${basicSecret(actors.shop)}` })
  const forbidden = vi.fn(() => {
    throw new Error("the hot path built a web object")
  })
  vi.stubGlobal("Request", forbidden)
  vi.stubGlobal("Response", forbidden)
  vi.stubGlobal("AbortController", forbidden)
  const headers = { authorization: `Bearer ${token.json.data}` }
  const answer = await client.call({ ...post({ formaPagamento: immediate() }), headers })
  expect(answer.status).toBe(200)
  expect(forbidden).not.toHaveBeenCalled()
  client.close()
  await mounted.close()
})
