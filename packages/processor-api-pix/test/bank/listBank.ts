import { PaymentProcessor, type PaymentSearch, type ReceivedPayment } from "@pixcharge/core"
import { type ApiPixConnection, apiPix, standardProfile } from "@pixcharge/processor-api-pix"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { company } from "./openBank.ts"

export interface ListedPage {
  readonly paginacao?: { readonly quantidadeDePaginas?: number; readonly quantidadeTotalDeItens?: number }
  readonly numbers: ReadonlyArray<number>
  readonly others?: ReadonlyArray<unknown>
}

export const endToEndId = (n: number): string => `E${String(n).replace("-", "M").padStart(31, "0")}`

/** The time of payment 0. Each further payment was made one second later. */
export const listedFrom = Date.UTC(2026, 10, 20)

export const pixBody = (n: number) => ({
  endToEndId: endToEndId(n),
  valor: "1.00",
  horario: new Date(listedFrom + n * 1000).toISOString(),
})

export const openListBank = (list: (page: number, call: number) => ListedPage, profile = standardProfile) =>
  Effect.gen(function* () {
    const queries: Array<URLSearchParams> = []
    // The client ignores this date, because it differs more than an hour from the clock. A current date would move with
    // the real clock, which these tests stop.
    const headers = { date: new Date(0).toUTCString() }
    const fetch = async (url: string) => {
      if (url.endsWith("/oauth/token")) return Response.json({ access_token: "t0k3n", expires_in: 600 }, { headers })
      const query = new URL(url).searchParams
      queries.push(query)
      const { paginacao, numbers, others = [] } = list(Number(query.get("paginacao.paginaAtual")), queries.length)
      return Response.json({ parametros: paginacao && { paginacao }, pix: [...others, ...numbers.map(pixBody)] })
    }
    const baseUrl = "https://bank.example"
    const connection: ApiPixConnection = { baseUrl, profile, clientId: "id", clientSecret: "s+cret", fetch }
    const { processor } = apiPix({ companies: { [company.cnpj]: connection } })
    return { queries, processor: Context.get(yield* Layer.build(processor), PaymentProcessor) }
  })

export const everyPayment = Effect.fnUntraced(function* (
  { payments }: PaymentProcessor["Service"],
  search: PaymentSearch,
) {
  const items: Array<ReceivedPayment> = []
  let cursor: string | undefined
  for (let pages = 0; pages < 1000; pages++) {
    const page = yield* payments(company.cnpj, search, cursor)
    items.push(...page.items)
    cursor = page.cursor
    if (cursor === undefined) return items
  }
  return yield* Effect.die("the list never ends")
})
