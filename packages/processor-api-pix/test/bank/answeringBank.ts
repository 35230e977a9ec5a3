import { PaymentProcessor } from "@pixcharge/core"
import { type ApiPix, apiPix, type ApiPixConnection } from "@pixcharge/processor-api-pix"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { company } from "./openBank.ts"

export type BankAnswer = readonly [status: number, body?: unknown]

const hasNoBody = (status: number): boolean => status === 204 || status === 304

const response = ([status, body]: BankAnswer): Response =>
  new Response(
    hasNoBody(status) ? null : typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body),
    {
      status,
    },
  )

/** Opens a bank that answers each call by `answer`, which gets the method and the path below the API's root. */
export const openAnsweringBank = (
  answer: (call: string) => BankAnswer,
  token: BankAnswer = [200, { access_token: "t0k3n", expires_in: 600 }],
  connection: Partial<ApiPixConnection> = {},
) =>
  Effect.gen(function* () {
    const calls: Array<string> = []
    const fetch = async (url: string, { method }: RequestInit) => {
      const { pathname } = new URL(url)
      if (pathname === "/oauth/token") return response(token)
      const call = `${method} ${pathname.replace("/api/v2", "")}`
      calls.push(call)
      return response(answer(call))
    }
    const opened = { baseUrl: "https://bank.example", clientId: "id", clientSecret: "s+cret", fetch, ...connection }
    const bank: ApiPix = apiPix({
      companies: { [company.cnpj]: opened as ApiPixConnection },
      noticeSecrets: ["a secret of the webhook's addresses"],
    })
    return { calls, bank, processor: Context.get(yield* Layer.build(bank.processor), PaymentProcessor) }
  })

/** Answers for a missing resource that some banks and proxies send in a form that API Pix doesn't have. */
export const bareAbsences: ReadonlyArray<readonly [what: string, answer: BankAnswer]> = [
  ["404 with nothing", [404]],
  ["404 with a page", [404, "<html><body>Not Found</body></html>"]],
  ["404 with null", [404, null]],
  ["404 with {}", [404, {}]],
  ["404 with []", [404, []]],
  ["404 with only a string", [404, '"Not Found"']],
  ["410 with {}", [410, {}]],
  ["410 with nothing", [410]],
  ["204", [204]],
  ["200 with nothing", [200]],
  ["200 with {}", [200, {}]],
  ["200 with null", [200, null]],
]

export const chargeAnswer = (txid: string, more: object = {}) => ({
  txid,
  revisao: 0,
  status: "ATIVA",
  calendario: { criacao: "2026-11-20T10:00:00Z", expiracao: 600 },
  valor: { original: "19.90" },
  chave: company.pixKey,
  location: "bank.example/qr/v2/abcdef0123456789",
  ...more,
})
