import { apiPix, type ApiPixConnection, pspProfiles, standardProfile } from "@pixcharge/processor-api-pix"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, it as test } from "vitest"
import { openConnection } from "../src/connection/openConnection.ts"
import { fetchToken } from "../src/client/AccessToken.ts"
import { callRequest } from "../src/client/PspCall.ts"
import type { HttpRequest } from "../src/connection/Transport.ts"
import { company, connectionTo, openPsp } from "./bank/openBank.ts"

const opened = (given: object) =>
  openConnection(company.cnpj, { clientId: "id", clientSecret: "s", fetch, ...given } as unknown as ApiPixConnection)

/**
 * Diagnoses a bank with Bradesco's profile that gives its tokens at this path. Also returns the paths that were tried.
 */
const diagnoseAt = (tokenPath: string, apiRoot = "/v2") =>
  Effect.gen(function* () {
    const token = { client: "header", content: "form", scope: "refused", query: {} } as const
    const psp = yield* openPsp({ ways: { apiRoot, tokenPath, token, reshape: (answer) => answer } })
    const connection = yield* Effect.promise(() =>
      connectionTo(psp, company, { profile: pspProfiles.bradesco, baseUrl: psp.baseUrl }),
    )
    const { processor } = apiPix({ companies: { [company.cnpj]: connection } })
    const findings = yield* Effect.promise(async () => (await processor.diagnose?.({})) ?? [])
    const tried = psp.exchanges.filter(({ method }) => method === "POST").map(({ path, status }) => `${path} ${status}`)
    return { tried, psp, finding: findings.find(({ check }) => check.startsWith("bank of")) }
  })

describe("the path of a token request", () => {
  it.live("is first the path that most sources name", () =>
    Effect.gen(function* () {
      const { tried, finding, psp } = yield* diagnoseAt("/auth/server/oauth/token")
      expect(tried).toEqual(["/oauth/token 200"])
      const message = `it gives a token at ${psp.baseUrl}/auth/server/oauth/token, and accepts it`
      expect(finding).toMatchObject({ status: "ok", message })
    }),
  )

  it.live("is the next known path after a 404, and the diagnosis names the path that worked", () =>
    Effect.gen(function* () {
      const { tried, finding, psp } = yield* diagnoseAt("/v2/oauth/token")
      expect(tried).toEqual(["/auth/server/oauth/token 404", "/oauth/token 404", "/oauth/token 200"])
      const message = `it gives a token at ${psp.baseUrl}/v2/oauth/token, and accepts it`
      expect(finding).toMatchObject({ status: "ok", message })
    }),
  )

  it.live("leads to a failed finding if all known paths return 404", () =>
    Effect.gen(function* () {
      const { tried, finding } = yield* diagnoseAt("/elsewhere", "/elsewhere")
      expect(tried).toEqual(["/auth/server/oauth/token 404", "/oauth/token 404", "/v2/oauth/token 404"])
      const message = expect.stringMatching(/^HTTP 404: the bank gives no token/)
      expect(finding).toMatchObject({ status: "failed", message })
    }),
  )

  it.live("stays the path that worked, or is the connection's own URL", () =>
    Effect.gen(function* () {
      const urls: Array<string> = []
      const send = ({ url }: HttpRequest) => {
        urls.push(url)
        const isThere = url.endsWith(".br/oauth/token")
        return Effect.succeed({ status: isThere ? 200 : 404, text: isThere ? '{"access_token":"t"}' : "" })
      }
      const connection = opened({ psp: "bradesco" })
      yield* fetchToken(connection, send)
      yield* fetchToken(connection, send)
      const found = "https://qrpix.bradesco.com.br/oauth/token"
      expect(urls.splice(0)).toEqual(["https://qrpix.bradesco.com.br/auth/server/oauth/token", found, found])
      const named = opened({ psp: "bradesco", tokenUrl: "https://t.example/token" })
      yield* Effect.exit(fetchToken(named, send))
      expect(urls).toEqual(["https://t.example/token"])
    }),
  )
})

test("calls to a bank without tokens have two headers from the connection's credentials", () => {
  const profile = {
    ...standardProfile,
    clientAuthentication: "headers",
    scope: "",
    headers: { "x-api-key": { from: "clientId" }, "x-api-secret": { from: "clientSecret" } },
  } as const
  const given = { profile, baseUrl: "https://pix.bank.example" }
  expect(() => opened({ ...given, clientSecret: "" })).toThrow("clientSecret is missing or empty")
  const connection = opened(given)
  const { token } = Effect.runSync(fetchToken(connection, () => Effect.die("no token is tried for")))
  const path = { resource: "payments", text: "/pix" } as const
  const call = { operation: "test", method: "GET", path, read: (json: unknown) => Result.succeed(json) } as const
  const { headers } = callRequest(connection, call, { token })
  expect([headers["x-api-key"], headers["x-api-secret"], Redacted.value(token)]).toEqual(["id", "s", ""])
  expect(headers).not.toHaveProperty("authorization")
})
