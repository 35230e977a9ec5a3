import { afterAll, expect, it } from "vitest"
import type { Mount } from "./Conformance.ts"
import { expectFailure, expectSuccess } from "./expectations.ts"
import { type Call, makeHttpClient } from "./HttpClient.ts"
import { actors, basicSecret, makeSandbox } from "./World.ts"

const { shop, neighbour } = actors
const unknown = "99999999000191"
const byPath = (cnpj: string, key: string): Call => ({
  method: "GET",
  path: `/api/token/${Buffer.from(`${cnpj}|${key}`).toString("base64url")}`,
})
const byPost = (cnpj: string, chave: string): Call => ({ method: "POST", path: "/api/token", body: { cnpj, chave } })

/** Tests the limit on failed token requests (decision 44) and a closed token path (decision 45). */
export const tokenLimitRows = (mount: Mount): void => {
  const closers: Array<() => unknown> = []
  afterAll(async () => {
    for (const close of closers) await close()
  })

  const open = async (tokens: Parameters<typeof makeSandbox>[0]) => {
    const pix = makeSandbox(tokens)
    const mounted = await mount(pix)
    const client = makeHttpClient(mounted.baseUrl)
    closers.push(() => client.close(), mounted.close, pix.dispose)
    return client.call
  }

  it("answers 429 after 20 wrong keys for a company, known or not, and never refuses a right key", async () => {
    const call = await open({})
    for (const cnpj of [shop.cnpj, unknown]) {
      for (let failures = 0; failures < 20; failures++) {
        const attempt = failures % 2 === 0 ? byPath : byPost
        expectFailure(await call(attempt(cnpj, `errada ${failures}`)), 401, "credenciais-invalidas")
      }
      for (const attempt of [byPath, byPost]) {
        const refused = await call(attempt(cnpj, "errada"))
        expectFailure(refused, 429, "limite-excedido")
        expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
        expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(600)
      }
    }
    for (const attempt of [byPath, byPost]) expectSuccess(await call(attempt(shop.cnpj, shop.key)))
    expectFailure(await call(byPost(neighbour.cnpj, "errada")), 401, "credenciais-invalidas")
  })

  it("answers 404 to the path with a secret if the host closes that path, and keeps the POST route", async () => {
    const call = await open({ path: false })
    const secret = basicSecret(shop)
    const answer = await call({ method: "GET", path: `/api/token/${secret}` })
    expectFailure(answer, 404, "rota-inexistente")
    expect(answer.text).not.toContain(secret.slice(0, 12))
    expectSuccess(await call(byPost(shop.cnpj, shop.key)))
  })
}
