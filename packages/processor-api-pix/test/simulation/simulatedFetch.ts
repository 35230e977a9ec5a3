import { encodeBrCode } from "@pixcharge/core/brcode"
import { type LocalDate } from "@pixcharge/core/calendar"
import { type Cents, decimalFromCents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import type { BankCharge, BankClient, BankPayment, BankReturn } from "@pixcharge/testkit/simulation"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Fetch } from "../../src/http/fetchTransport.ts"

type Json = Readonly<Record<string, unknown>>

interface Call {
  readonly method: string
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
  readonly body: Json
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

const dayMs = 86_400_000

const problem = (status: number, kind: string, detail: string): Answer => ({
  status,
  body: { type: `https://pix.bcb.gov.br/api/v2/error/${kind}`, title: kind, status, detail },
})

const notFound = problem(404, "NaoEncontrado", "not known here")

const instant = (at: number): string => new Date(at).toISOString()

const centsFromDecimal = (text: unknown): Cents => Number(String(text).replace(".", "")) as Cents

const statuses = {
  making: "EM_PROCESSAMENTO",
  processing: "EM_PROCESSAMENTO",
  returned: "DEVOLVIDO",
  rejected: "NAO_REALIZADO",
}

const natures = { refund: "ORIGINAL", outside: "ORIGINAL", dispute: "MED_FRAUDE" }

const returnBody = ({ id, amountCents, kind, status, returnedAt }: BankReturn) => ({
  id,
  rtrId: `D${id}`,
  valor: decimalFromCents(amountCents),
  natureza: natures[kind],
  horario: {
    solicitacao: instant(returnedAt ?? 0),
    ...(returnedAt !== undefined && { liquidacao: instant(returnedAt) }),
  },
  status: statuses[status],
})

const paymentBody = ({ endToEndId, txid, amountCents, paidAt, returns }: BankPayment) => ({
  endToEndId,
  ...(txid !== undefined && { txid }),
  valor: decimalFromCents(amountCents),
  horario: instant(paidAt),
  devolucoes: returns.filter(({ status }) => status !== "making").map(returnBody),
})

const chargeStatuses = {
  making: "ATIVA",
  active: "ATIVA",
  completed: "CONCLUIDA",
  removed: "REMOVIDA_PELO_USUARIO_RECEBEDOR",
}

const chargeBody = ({ txid, terms, createdAt, status }: BankCharge, payments: ReadonlyArray<BankPayment> = []) => {
  const url = `pix.bank.invalid/qr/v2/${txid}`
  const code = encodeBrCode({ _tag: "Dynamic", url, merchantName: "Banco Simulado", merchantCity: "Brasilia" })
  return {
    calendario: { criacao: instant(createdAt), ...(terms.dueDate && { dataDeVencimento: terms.dueDate }) },
    txid,
    revisao: 0,
    status: chargeStatuses[status],
    valor: { original: decimalFromCents(terms.amountCents) },
    location: url,
    pixCopiaECola: Result.getOrThrow(code),
    pix: payments.map(paymentBody),
  }
}

const chargeOrder = (bank: BankClient, issuer: Cnpj, txid: string, { calendario, valor }: Json) => {
  const { dataDeVencimento, expiracao } = calendario as {
    readonly dataDeVencimento?: LocalDate
    readonly expiracao?: number
  }
  return {
    issuer,
    txid,
    terms: {
      amountCents: centsFromDecimal((valor as Json)["original"]),
      ...(dataDeVencimento !== undefined && { dueDate: dataDeVencimento }),
    },
    payableUntil:
      dataDeVencimento === undefined
        ? bank.now() + 1_000 * Number(expiracao)
        : Date.parse(dataDeVencimento) + 10 * dayMs,
  }
}

/** The bank of a simulated world, as API Pix shows it: what it does and when is decided there, nothing here. */
const makeAnswer = (bank: BankClient, issuer: Cnpj) => {
  const charge = Effect.fnUntraced(function* ({ method, path, body }: Call) {
    const [kind, txid = ""] = path
    const isOfKind = ({ terms }: BankCharge) => (terms.dueDate !== undefined) === (kind === "cobv")
    if (method === "GET") {
      const found = yield* bank.getChargeAndPayments(issuer, txid)
      return found === undefined || !isOfKind(found.charge)
        ? notFound
        : { status: 200, body: chargeBody(found.charge, found.payments) }
    }
    const isRemoval = "status" in body
    const answer = isRemoval
      ? yield* bank.removeCharge(issuer, txid)
      : yield* bank[method === "PUT" ? "putCharge" : "alterCharge"](chargeOrder(bank, issuer, txid, body))
    if (answer === undefined) return notFound
    if (answer._tag === "Charge") return { status: method === "PUT" ? 201 : 200, body: chargeBody(answer.charge) }
    return problem(answer.isConflict ? 409 : 400, "CobOperacaoInvalida", answer.reason)
  })

  const returned = Effect.fnUntraced(function* ({ method, path: [, endToEndId = "", , id = ""], body }: Call) {
    if (method === "GET") {
      const known = yield* bank.getReturn(issuer, endToEndId, id)
      return known === undefined ? notFound : { status: 200, body: returnBody(known) }
    }
    const amountCents = centsFromDecimal(body["valor"])
    const answer = yield* bank.putReturn({ issuer, endToEndId, id, amountCents })
    if (answer._tag === "Return") return { status: 201, body: returnBody(answer.returned) }
    return problem(answer.isConflict ? 409 : 400, "PixDevolucaoInvalida", answer.reason)
  })

  const list = Effect.fnUntraced(function* ({ query }: Call) {
    const page = Number(query.get("paginacao.paginaAtual"))
    const search = {
      from: Date.parse(query.get("inicio") ?? ""),
      until: Date.parse(query.get("fim") ?? "") + 1,
      ...(query.get("devolucaoPresente") === "true" && { isReturned: true as const }),
    }
    const { items, cursor } = yield* bank.listPayments(issuer, search, String(page * bank.ways.pageSize))
    const txid = query.get("txid")
    const pix = items.filter((payment) => txid === null || payment.txid === txid).map(paymentBody)
    const paginacao = {
      paginaAtual: page,
      itensPorPagina: bank.ways.pageSize,
      quantidadeDePaginas: cursor === undefined ? page + 1 : page + 2,
    }
    return { status: 200, body: { parametros: { paginacao }, pix } }
  })

  return (call: Call): Effect.Effect<Answer> => {
    const [resource, id, part] = call.path
    if (resource !== "pix") return charge(call)
    if (part === "devolucao") return returned(call)
    if (id === undefined) return list(call)
    return Effect.map(bank.getPayment(issuer, id), (payment) =>
      payment === undefined ? notFound : { status: 200, body: paymentBody(payment) },
    )
  }
}

const token = { access_token: "a-token", token_type: "Bearer", expires_in: 3_600 }

/** The `fetch` of a company's connection to the simulated bank, without a network. */
export const simulatedFetch = (bank: BankClient, issuer: Cnpj): Fetch => {
  const answer = makeAnswer(bank, issuer)
  return async (address, { method = "GET", body }) => {
    const { pathname, searchParams } = new URL(address)
    if (pathname === "/oauth/token") return Response.json(token)
    const path = pathname.split("/").slice(3)
    const json = typeof body === "string" ? (JSON.parse(body) as Json) : {}
    const answered = await Effect.runPromise(answer({ method, path, query: searchParams, body: json }))
    return Response.json(answered.body, { status: answered.status })
  }
}
