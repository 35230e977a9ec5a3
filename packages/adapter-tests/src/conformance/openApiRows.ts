import { openApiDocument } from "@pixcharge/http/contract"
import { afterAll, expect, it } from "vitest"
import type { Mount } from "./Conformance.ts"
import { expectFailure } from "./expectations.ts"
import { makeHttpClient } from "./HttpClient.ts"
import { rawCall } from "./rawCall.ts"
import { makeSandbox } from "./World.ts"

const path = "/api/openapi.json"

export const openApiRows = (mount: Mount): void => {
  const closers: Array<() => unknown> = []
  afterAll(async () => {
    for (const close of closers) await close()
  })

  const open = async (openapi: boolean) => {
    const pix = await makeSandbox({}, { openapi })
    const server = await mount(pix)
    const client = makeHttpClient(server.baseUrl)
    closers.push(() => client.close(), server.close, pix.dispose)
    return { ...server, call: client.call }
  }

  it("serves the OpenAPI document without a token, with the mount's address as the server", async () => {
    const { baseUrl, call } = await open(true)
    const answer = await call({ method: "GET", path: `${path}?x=1` })
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "public, max-age=3600",
      "x-content-type-options": "nosniff",
    })
    expect(answer.headers["etag"]).toMatch(/^"[\w-]{22}"$/)
    expect(answer.json).toEqual(openApiDocument())
    const [server] = answer.json.servers
    expect(new URL(server.url, `${baseUrl}${path}`).href).toBe(`${baseUrl}/`)

    const refused = await call({ method: "POST", path })
    expectFailure(refused, 405, "metodo-nao-permitido")
    expect(refused.headers["allow"]).toBe("GET")
    expect((await call({ method: "OPTIONS", path })).status).toBe(404)
    const { pathname } = new URL(baseUrl)
    const doubled = await rawCall(baseUrl, `GET ${pathname.replace(/\/$/, "")}/api//openapi.json`)
    expectFailure(doubled, 404, "rota-inexistente")
  })

  it("leaves the document's path to the host if the option is off", async () => {
    const { hasHost, call } = await open(false)
    const answer = await call({ method: "GET", path })
    expect(answer.status).toBe(404)
    if (!hasHost) return expectFailure(answer, 404, "rota-inexistente")
    expect(answer.json?.sucesso).toBeUndefined()
  })
}
