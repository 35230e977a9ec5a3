import { expect, it } from "vitest"
import type { Conformance } from "./Conformance.ts"
import { expectFailure, expectSuccess } from "./expectations.ts"
import { rawCall } from "./rawCall.ts"
import { actors, basicSecret } from "./World.ts"

const id = "3f2c1b9e-8d4a-4b6f-9c2d-1e5f7a8b9c0d"
const secret = basicSecret(actors.shop)

/** Tests the spellings of a path (decision 29). */
export const pathRows = (world: () => Conformance): void => {
  const callRaw = (method: string, path: string, form: "origin" | "absolute" = "origin") => {
    const { baseUrl } = world().mounted
    const { origin, pathname } = new URL(baseUrl)
    const target = `${form === "origin" ? "" : origin}${pathname.replace(/\/$/, "")}${path}`
    return rawCall(baseUrl, `${method} ${target}`)
  }

  it.each([
    ["GET", `/%61pi/%74oken/${secret}`],
    ["GET", `/api/toke%6e/${encodeURIComponent(secret)}`],
    ["GET", `/api/toke%6E/${secret}?x=1`],
  ])("reads %s %s as if its fixed segments were not percent-encoded", async (method, path) => {
    expectSuccess(await callRaw(method, path))
  })

  it.each([
    ["POST", "/api/%70ix"],
    ["DELETE", `/%61%70%69/pix/${id}`],
    ["POST", `/api/pix/simular%2dpagamento/${id}`],
  ])("requires a token for the route %s %s", async (method, path) => {
    expectFailure(await callRaw(method, path), 401, "token-invalido")
  })

  it.each([
    ["GET", `//api/token/${secret}`],
    ["GET", `/api//token/${secret}`],
    ["GET", `//%61pi//token/${secret}?x=1`],
    ["POST", "//api/pix"],
    ["POST", "/api/pix//"],
    ["GET", `/api/pix//${id}`],
    ["PUT", `///api///pix/${id}`],
  ])("answers 404 to %s %s because of its empty segments, without asking the host", async (method, path) => {
    const answer = await callRaw(method, path)
    expectFailure(answer, 404, "rota-inexistente")
    expect(answer.text).not.toContain(secret)
  })

  it.each([`/API/token/${secret}`, `/Api/%54oken/${secret}?x=1`])(
    "answers 404 to GET %s because its fixed segments have upper-case letters, without asking the host",
    async (path) => {
      const answer = await callRaw("GET", path)
      expectFailure(answer, 404, "rota-inexistente")
      expect(answer.text).not.toContain(secret)
    },
  )

  it.each([
    `/x/../api/token/${secret}`,
    `/./api/token/${secret}`,
    `/api/%2E/token/${secret}`,
    `/api\\token/${secret}`,
    `/api%2Ftoken/${secret}`,
  ])("keeps GET %s from the host, which could repeat the secret", async (path) => {
    expect((await callRaw("GET", path)).text).not.toContain(secret)
  })

  it("accepts an absolute URL as the request target", async () => {
    expectSuccess(await callRaw("GET", `/api/token/${secret}?x=//y`, "absolute"))
    expectFailure(await callRaw("POST", "/api/pix", "absolute"), 401, "token-invalido")
    expectFailure(await callRaw("POST", "//api/pix", "absolute"), 404, "rota-inexistente")
  })

  it.each([`//${secret}`, `/${secret}//`, "/%2Fapi%2Fpix", "//api/pix"])(
    "treats everything after /api/token as a secret: %s",
    async (rest) => {
      expectFailure(await callRaw("GET", `/api/token${rest}`), 401, "credenciais-invalidas")
    },
  )
}
