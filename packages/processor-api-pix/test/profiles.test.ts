import { PaymentProcessor } from "@pixcharge/core"
import { apiPix, type ApiPixConnection, type PspProfile, pspProfiles } from "@pixcharge/processor-api-pix"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { company } from "./bank/openBank.ts"

interface SeenRequest {
  readonly url: string
  readonly headers: Headers
  readonly body: string
}

/** Makes a first call, and returns its two requests: for the token and to the API. */
const firstCall = (connection: Omit<ApiPixConnection, "fetch" | "cert" | "key" | "pfx" | "identity">) =>
  Effect.gen(function* () {
    const seen: Array<SeenRequest> = []
    const answer = (body: unknown) => Promise.resolve(new Response(JSON.stringify(body)))
    const { processor } = apiPix({
      companies: {
        [company.cnpj]: {
          ...connection,
          fetch: (url, { headers, body }) => {
            seen.push({ url, headers: new Headers(headers), body: String(body) })
            return answer(seen.length === 1 ? { access_token: "t0k3n", expires_in: 600 } : { pix: [] })
          },
        },
      },
    })
    const { payments } = Context.get(yield* Layer.build(processor), PaymentProcessor)
    yield* payments(company.cnpj, { from: 0, until: 1000 })
    return { token: seen[0]!, api: seen[1]! }
  })

const basic = `Basic ${Buffer.from("id:s+cret").toString("base64")}`
const credentials = { clientId: "id", clientSecret: "s+cret" }
const scope = "cob.write cob.read cobv.write cobv.read pix.write pix.read webhook.write webhook.read"

describe("a profile", () => {
  it.live("defaults to the standard: a token form with scopes, the secret in a header, and calls below /api/v2", () =>
    Effect.gen(function* () {
      const { token, api } = yield* firstCall({ ...credentials, baseUrl: "https://bank.invalid/" })
      expect(token.url).toBe("https://bank.invalid/oauth/token")
      expect(token.headers.get("authorization")).toBe(basic)
      expect(Object.fromEntries(new URLSearchParams(token.body))).toEqual({ grant_type: "client_credentials", scope })
      expect(api.url).toBe(
        "https://bank.invalid/api/v2/pix?inicio=1970-01-01T00%3A00%3A00Z&fim=1970-01-01T00%3A00%3A01Z&paginacao.paginaAtual=0&paginacao.itensPorPagina=100",
      )
      expect(api.headers.get("authorization")).toBe("Bearer t0k3n")
      const types = ({ headers }: SeenRequest) => [headers.get("accept"), headers.get("content-type")]
      expect([types(token), types(api)]).toEqual([
        ["application/json", "application/x-www-form-urlencoded"],
        ["application/json, application/problem+json", null],
      ])
    }),
  )

  it.live("can be an object of the host's own", () =>
    Effect.gen(function* () {
      const profile: PspProfile = {
        ...pspProfiles.standard,
        apiPath: "/pix",
        tokenPath: "/auth",
        clientAuthentication: "body",
        scope: "pix",
        pageSize: 7,
      }
      const { token, api } = yield* firstCall({ ...credentials, baseUrl: "https://bank.invalid", profile })
      expect([token.url, Object.fromEntries(new URLSearchParams(token.body))]).toEqual([
        "https://bank.invalid/auth",
        { grant_type: "client_credentials", scope: "pix", client_id: "id", client_secret: "s+cret" },
      ])
      expect(api.url).toMatch(/^https:\/\/bank\.invalid\/pix\/pix\?.*itensPorPagina=7$/)
    }),
  )
})
