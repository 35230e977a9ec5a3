import { expect, it } from "vitest"
import { expectFailure, expectSuccess } from "./expectations.ts"
import type { Conformance } from "./Conformance.ts"
import type { Call } from "./HttpClient.ts"
import { status } from "./requests.ts"
import { actors, basicSecret } from "./World.ts"

const { cnpj, key } = actors.shop
const base64 = (text: string): string => Buffer.from(text).toString("base64")

// Its Base64 contains `+` and `/`, which the URL alphabet replaces.
const awkwardKey = "~~~???>>>"
const spellings: ReadonlyArray<readonly [string, string]> = [
  ["a percent-encoded standard alphabet", encodeURIComponent(basicSecret(actors.shop))],
  ["a raw standard alphabet", basicSecret(actors.shop)],
  ["the URL alphabet and no padding", Buffer.from(`${cnpj}|${key}`).toString("base64url")],
  ["a CNPJ with punctuation", base64(`12.345.678/0001-95|${key}`)],
  ["an alphanumeric CNPJ in lower case", base64(`12abc34501de35|${actors.withoutWallet.key}`)],
]

const brokenPath = "%E0%A4%A"

const refusedSecrets: ReadonlyArray<readonly [string, string]> = [
  ["an unknown company", base64(`99999999999999|CHAVE123456789`)],
  ["a wrong key", base64(`${cnpj}|outra-chave`)],
  ["another company's key", base64(`${cnpj}|${actors.neighbour.key}`)],
  ["no bar", base64(`${cnpj}${key}`)],
  ["no key", base64(`${cnpj}|`)],
  ["an empty secret", ""],
  ["characters that aren't Base64", "%2A%2A%2A"],
  ["a stray character in good Base64", `${basicSecret(actors.shop)}*`.replaceAll("=", "")],
  ["a broken percent-encoding", brokenPath],
  ["bytes that aren't UTF-8", Buffer.from([0xff, 0xfe, 0x7c, 0x61]).toString("base64url")],
  ["more than 512 characters", "A".repeat(516)],
  ["a wrong key whose Base64 has raw slashes", base64(`${cnpj}|${awkwardKey}`)],
]

const basic = (text: string) => ({ headers: { authorization: `Basic ${base64(text)}` } })

const postedSecrets: ReadonlyArray<readonly [string, Partial<Call>]> = [
  ["a CNPJ and a key", { body: { cnpj, chave: key } }],
  [
    "a CNPJ with punctuation, a key and an unknown field",
    { body: { cnpj: "12.345.678/0001-95", chave: key, outro: 1 } },
  ],
  ["a CNPJ, a key and an invalid token", { body: { cnpj, chave: key }, headers: { authorization: "Bearer x" } }],
  ["nothing but Basic credentials", basic(`${cnpj}:${key}`)],
  [
    "Basic credentials with the scheme in upper case",
    { headers: { authorization: `BASIC  ${base64(`${cnpj}:${key}`)} ` } },
  ],
  ["Basic credentials and a body that is not read", { ...basic(`${cnpj}:${key}`), body: [1] }],
]

const refusedPosts: ReadonlyArray<readonly [string, Partial<Call>]> = [
  ["a wrong key", { body: { cnpj, chave: "outra-chave" } }],
  ["an unknown company", { body: { cnpj: "99999999999999", chave: key } }],
  ["no key", { body: { cnpj } }],
  ["an empty key", { body: { cnpj, chave: "" } }],
  ["an empty CNPJ", { body: { cnpj: "", chave: key } }],
  ["a key that isn't text", { body: { cnpj, chave: [key] } }],
  ["a list", { body: [cnpj, key] }],
  ["wrong Basic credentials", basic(`${cnpj}:outra-chave`)],
  ["Basic credentials without a colon", basic(`${cnpj}|${key}`)],
  ["Basic credentials that aren't Base64", { headers: { authorization: "Basic ***" } }],
  ["Basic credentials of 15 000 blanks", { headers: { authorization: `Basic${" ".repeat(15_000)}x` } }],
  ["wrong Basic credentials and a right body", { ...basic(`${cnpj}:outra-chave`), body: { cnpj, chave: key } }],
]

/** `GET /api/token/{segredoBase64}` (decisions 1 to 4). */
export const tokenPathRows = (world: () => Conformance): void => {
  it.each(spellings)("gives a working token for a secret with %s", async (_, path) => {
    const answer = await world().call({ method: "GET", path: `/api/token/${path}` })
    expectSuccess(answer)
    // The path contains a secret.
    expect(answer.headers["referrer-policy"]).toBe("no-referrer")
    expect(Object.keys(answer.json)).toEqual(["sucesso", "data"])
    expect(answer.json.data).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    const used = await world().call({
      ...status("3f2c1b9e-8d4a-4b6f-9c2d-1e5f7a8b9c0d"),
      headers: { authorization: `bearer ${answer.json.data}` },
    })
    expectFailure(used, 404, "cobranca-nao-encontrada")
  })

  it.each(refusedSecrets)("answers %s with the same 401 as any other failure", async (_, path) => {
    const reference = await world().call({ method: "GET", path: `/api/token/${base64(`${cnpj}|errada`)}` })
    const answer = await world().call({ method: "GET", path: `/api/token/${path}` })
    if (world().mounted.refusesBrokenPaths === true && path === brokenPath) return expect(answer.status).toBe(404)
    expectFailure(answer, 401, "credenciais-invalidas")
    return expect(answer.text).toBe(reference.text)
  })
}

/** `POST /api/token` (decision 45), and the use of tokens. */
export const tokenRows = (world: () => Conformance): void => {
  it.each(postedSecrets)("gives a token for a POST of %s", async (_, over) => {
    const answer = await world().call({ method: "POST", path: "/api/token", ...over })
    expectSuccess(answer)
    expect(answer.json.data).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  it.each(refusedPosts)("answers a POST of %s with the same 401 as any other failure", async (_, over) => {
    const reference = await world().call({ method: "GET", path: `/api/token/${base64(`${cnpj}|errada`)}` })
    const answer = await world().call({ method: "POST", path: "/api/token", ...over })
    expectFailure(answer, 401, "credenciais-invalidas")
    expect(answer.text).toBe(reference.text)
  })

  it.each([
    ["broken JSON", { body: "{" }, 400, "json-invalido"],
    ["no body", {}, 400, "json-invalido"],
    [
      "a form",
      { body: "cnpj=1", headers: { "content-type": "application/x-www-form-urlencoded" } },
      415,
      "tipo-de-conteudo-invalido",
    ],
  ] as const)("refuses a POST with %s", async (_, over, expected, code) => {
    expectFailure(await world().call({ method: "POST", path: "/api/token", ...over }), expected, code)
  })

  it("answers 401 to a token revoked by its id, and accepts the company's other tokens", async () => {
    const getToken = async (): Promise<string> =>
      (await world().call({ method: "POST", path: "/api/token", body: { cnpj, chave: key } })).json.data
    const statusUnder = (token: string) =>
      world().call({
        ...status("3f2c1b9e-8d4a-4b6f-9c2d-1e5f7a8b9c0d"),
        headers: { authorization: `Bearer ${token}` },
      })
    const [revoked, other] = [await getToken(), await getToken()]
    expectFailure(await statusUnder(revoked), 404, "cobranca-nao-encontrada")
    const { jti } = JSON.parse(Buffer.from(revoked.split(".")[1] ?? "", "base64url").toString())
    await world().pix.tokens.revoke(jti)
    expectFailure(await statusUnder(revoked), 401, "token-invalido")
    expectFailure(await statusUnder(other), 404, "cobranca-nao-encontrada")
  })

  it.each([
    ["no header", undefined],
    ["another scheme", "Basic abc"],
    ["no token", "Bearer "],
    ["no JWT", "Bearer abc"],
    ["an unsigned JWT", `Bearer ${Buffer.from('{"alg":"none"}').toString("base64url")}.e30.`],
    ["a very long token", `Bearer ${"a".repeat(4_000)}`],
    ["a token after 15 000 blanks", `Bearer${" ".repeat(15_000)}a.b.c`],
  ])("answers 401 to %s on every route except the token route", async (_, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const id = "3f2c1b9e-8d4a-4b6f-9c2d-1e5f7a8b9c0d"
    for (const [method, path] of [
      ["POST", "/api/pix"],
      ["GET", `/api/pix/${id}`],
      ["DELETE", `/api/pix/${id}`],
      ["POST", `/api/pix/simular-pagamento/${id}`],
    ] as const) {
      const answer = await world().call({ method, path, headers })
      expectFailure(answer, 401, "token-invalido")
      expect(answer.headers["www-authenticate"]).toBe("Bearer")
    }
  })
}
