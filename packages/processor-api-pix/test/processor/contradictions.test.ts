import { PaymentProcessor } from "@pixcharge/core"
import { apiPix } from "@pixcharge/processor-api-pix"
import type { Cents } from "@pixcharge/core/money"
import { anOrder, aRefundId, registeredPending } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { company } from "../bank/openBank.ts"
import { saying } from "../saying.ts"

type Answers = Readonly<Record<string, () => readonly [status: number, body: unknown]>>

const token = { access_token: "t0k3n", expires_in: 600 }

const connectTo = (answers: Answers, tokenStatus = 200) =>
  Effect.gen(function* () {
    const fetch = async (url: string, { method }: RequestInit) => {
      if (url.endsWith("/oauth/token")) return Response.json(token, { status: tokenStatus })
      const [status, body] = answers[String(method)]?.() ?? [404, { title: "none", status: 404 }]
      return Response.json(body, { status })
    }
    const connection = { baseUrl: "https://bank.example", clientId: "id", clientSecret: "s+cret", fetch }
    const { processor } = apiPix({ companies: { [company.cnpj]: connection } })
    return Context.get(yield* Layer.build(processor), PaymentProcessor)
  })

const chargeBody = (txid: string, more: object = {}) => ({
  txid,
  revisao: 0,
  status: "ATIVA",
  calendario: { criacao: "2026-11-20T10:00:00Z", expiracao: 600 },
  valor: { original: "19.90" },
  chave: company.pixKey,
  location: "bank.example/qr/v2/abcdef0123456789",
  ...more,
})

const registered = Effect.gen(function* () {
  const order = yield* anOrder(company)
  const processor = yield* connectTo({ PUT: () => [201, chargeBody(order.txid)] })
  return { order, charge: registeredPending(order, yield* processor.register(order)) }
})

describe("a bank that answers about another charge", () => {
  const other = "f".repeat(32)

  it.live("gives no code, because the code would collect another charge's money", () =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      const making = yield* connectTo({ PUT: () => [201, chargeBody(other)] })
      expect(yield* Effect.flip(making.register(order))).toMatchObject({
        _tag: "ProcessorUnavailable",
        cause: { fields: ["txid"] },
      })
      const knowing = yield* connectTo({ GET: () => [200, chargeBody(other)] })
      expect((yield* Effect.flip(knowing.register(order)))._tag).toBe("ProcessorUnavailable")
    }),
  )

  it.live("gives no code if it shows another validity than the requested one", () =>
    Effect.gen(function* () {
      for (const payableForSeconds of [undefined, 3600]) {
        const order = yield* anOrder(company, payableForSeconds === undefined ? {} : { payableForSeconds })
        const answer = (expiracao?: number) =>
          connectTo({ PUT: () => [201, chargeBody(order.txid, { calendario: { expiracao } })] })
        const requested = payableForSeconds ?? 600
        for (const expiracao of [requested, undefined]) {
          expect((yield* (yield* answer(expiracao)).register(order)).txid).toBe(order.txid)
        }
        const refusal = yield* Effect.flip((yield* answer(requested + 1)).register(order))
        expect(refusal).toMatchObject({ _tag: "ProcessorRejected", reason: saying("other terms") })
      }
    }),
  )

  it.live("can show a validity in seconds for a due-date charge", () =>
    Effect.gen(function* () {
      const order = yield* anOrder(company, { dueInDays: 3 })
      const calendario = { dataDeVencimento: order.dueDate, expiracao: 86_400 }
      const processor = yield* connectTo({ PUT: () => [201, chargeBody(order.txid, { calendario })] })
      expect((yield* processor.register(order)).txid).toBe(order.txid)
    }),
  )

  it.live("doesn't settle our charge", () =>
    Effect.gen(function* () {
      const { charge } = yield* registered
      const paid = { status: "CONCLUIDA", pix: [] }
      const { lookup } = yield* connectTo({ GET: () => [200, chargeBody(other, paid)] })
      expect((yield* Effect.flip(lookup(charge)))._tag).toBe("ProcessorUnavailable")
    }),
  )

  it.live("can write our txid in capitals, or omit the txid", () =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      for (const txid of [order.txid.toUpperCase(), ""]) {
        const processor = yield* connectTo({ PUT: () => [201, chargeBody(txid)] })
        expect((yield* processor.register(order)).txid).toBe(order.txid)
      }
    }),
  )
})

describe("a return in a bank's answer", () => {
  const ordered = Effect.map(registered, ({ charge: { issuer, amountCents } }) => {
    const endToEndId = "E".padEnd(32, "1")
    const order = { issuer, amountCents, endToEndId, refundId: aRefundId({ endToEndId }) }
    return { order, body: { id: order.refundId, rtrId: "D".padEnd(32, "1"), valor: "19.90", status: "DEVOLVIDO" } }
  })

  it.live("counts as made now if it has no time, and gets a default reason if it is rejected", () =>
    Effect.gen(function* () {
      const { order, body } = yield* ordered
      const before = Date.now()
      const returned = yield* (yield* connectTo({ PUT: () => [201, body] })).refund(order)
      expect(returned).toEqual({ _tag: "Returned", amountCents: 1990, returnedAt: expect.any(Number) })
      expect(returned).toMatchObject({ returnedAt: expect.toSatisfy((ms: number) => ms >= before) })
      const { refund } = yield* connectTo({ PUT: () => [201, { ...body, status: "NAO_REALIZADO" }] })
      expect(yield* refund(order)).toEqual({ _tag: "Rejected", reason: "not carried out" })
    }),
  )

  it.live("isn't taken for our refund if it has another id", () =>
    Effect.gen(function* () {
      const { order, body } = yield* ordered
      const other = { ...body, id: "other" }
      const { refund, lookupRefund } = yield* connectTo({ PUT: () => [201, other], GET: () => [200, other] })
      const failure = { _tag: "ProcessorUnavailable", cause: { fields: ["id"] } }
      expect(yield* Effect.flip(refund(order))).toMatchObject(failure)
      expect(yield* Effect.flip(lookupRefund(order))).toMatchObject(failure)
    }),
  )

  it.live("is accepted with another amount only if a look-up confirms the amount", () =>
    Effect.gen(function* () {
      const { order, body } = yield* ordered
      const other = { ...body, valor: "0.01" }
      const sure = yield* connectTo({ PUT: () => [201, other], GET: () => [200, other] })
      for (const call of [sure.refund, sure.lookupRefund]) {
        expect(yield* call(order)).toMatchObject({ _tag: "Returned", amountCents: 1 })
      }
      const corrected = yield* connectTo({ PUT: () => [201, other], GET: () => [200, body] })
      expect(yield* corrected.refund(order)).toMatchObject({ _tag: "Returned", amountCents: 1990 })
      const unsure = yield* connectTo({ PUT: () => [201, other] })
      expect(yield* Effect.flip(unsure.refund(order))).toMatchObject({
        _tag: "ProcessorUnavailable",
        cause: { fields: ["valor"] },
      })
    }),
  )
})

describe("a refused return that the bank doesn't know", () => {
  const refundOrder = {
    issuer: company.cnpj,
    endToEndId: "E".padEnd(32, "1"),
    refundId: "R1",
    amountCents: 1990 as Cents,
  }
  const refusedWith = (status: number) =>
    Effect.flatMap(connectTo({ PUT: () => [status, { title: "PixDevolucaoInvalida", status }] }), ({ refund }) =>
      Effect.result(refund(refundOrder)),
    )

  it.live("is rejected by a status about the return, the payment or the amount", () =>
    Effect.gen(function* () {
      for (const status of [400, 404, 410, 422]) {
        expect(yield* refusedWith(status)).toMatchObject({ _tag: "Success", success: { _tag: "Rejected" } })
      }
    }),
  )

  it.live("can be retried after a status about the caller, and is under way after a conflict", () =>
    Effect.gen(function* () {
      for (const status of [403, 405, 412, 423]) {
        expect(yield* refusedWith(status)).toMatchObject({ _tag: "Failure", failure: { _tag: "ProcessorUnavailable" } })
      }
      expect(yield* refusedWith(409)).toMatchObject({ _tag: "Success", success: { _tag: "Processing" } })
    }),
  )
})

const endToEndId = "E1234567820260603150012345678abc"

const pixBody = (devolucoes: ReadonlyArray<object>, more: object = {}) => ({
  endToEndId,
  valor: "19.90",
  horario: "2026-11-20T10:05:00Z",
  devolucoes: devolucoes.map((one) => ({
    rtrId: "D".padEnd(32, "1"),
    valor: "1.00",
    horario: { solicitacao: "2026-11-20T10:06:00Z" },
    status: "DEVOLVIDO",
    ...one,
  })),
  ...more,
})

describe("a refund of ours among a bank's returns", () => {
  it.live("is recognized by its id in upper or lower case and with any nature, and keeps our spelling", () =>
    Effect.gen(function* () {
      const { charge } = yield* registered
      const part = "0123456789abcdef0123456789abcd"
      const ours = [aRefundId({ endToEndId }, 12), `${endToEndId}X3`, `${part}P1`, `${part}Pzr9p`]
      const theirs = [
        `${charge.txid}`,
        `${charge.txid}R1`,
        `${part}R1`,
        `${part}P`,
        `${part}P12345`,
        `${part.slice(1)}P1`,
        "R1",
        `${endToEndId.replace("a", "b")}X3`,
      ]
      const spelled = ours.map((id, place) => (place % 2 === 0 ? id.toUpperCase() : id.toLowerCase())).concat(theirs)
      const devolucoes = spelled.map((id) => ({ id, natureza: "MED_FRAUDE" }))
      const expected = [...ours.map((id) => ({ id, kind: "refund" })), ...theirs.map((id) => ({ id, kind: "dispute" }))]
      const pix = pixBody(devolucoes)
      const seen = yield* connectTo({ GET: () => [200, chargeBody(charge.txid, { status: "CONCLUIDA", pix: [pix] })] })
      expect((yield* seen.lookup(charge)).returns).toMatchObject(expected)
      const listed = yield* connectTo({
        GET: () => [200, { parametros: { paginacao: { quantidadeDePaginas: 1 } }, pix: [pix] }],
      })
      const { items } = yield* listed.payments(company.cnpj, { from: 0, until: Date.UTC(2027) })
      expect(items).toMatchObject([{ endToEndId, returns: expected }])
    }),
  )
})

it.live("a return without a time gets the time of its payment", () =>
  Effect.gen(function* () {
    const { charge } = yield* registered
    const pix = [pixBody([{ id: "D1", horario: undefined }])]
    const { lookup } = yield* connectTo({ GET: () => [200, chargeBody(charge.txid, { pix })] })
    expect((yield* lookup(charge)).returns).toMatchObject([{ id: "D1", returnedAt: Date.UTC(2026, 10, 20, 10, 5) }])
  }),
)

describe("a bank's terms", () => {
  it.live("are shown unchanged, and omitted if the due date can't be read", () =>
    Effect.gen(function* () {
      const { charge } = yield* registered
      for (const [dataDeVencimento, terms] of [
        [undefined, { amountCents: 700, revision: 0 }],
        ["2026-12-24", { amountCents: 700, dueDate: "2026-12-24", revision: 0 }],
        ["24/12/2026", undefined],
      ] as const) {
        const calendario = { criacao: "2026-11-20T10:00:00Z", ...(dataDeVencimento && { dataDeVencimento }) }
        const body = chargeBody(charge.txid, { calendario, valor: { original: "7.00" } })
        const { lookup } = yield* connectTo({ GET: () => [200, body] })
        expect((yield* lookup(charge)).terms).toEqual(terms)
      }
    }),
  )
})

it.live("a token with status 201 is accepted", () =>
  Effect.gen(function* () {
    const { payments } = yield* connectTo({ GET: () => [200, { pix: [] }] }, 201)
    expect(yield* payments(company.cnpj, { from: 0, until: 1000 })).toEqual({ items: [] })
  }),
)

describe("a removal answered with an active charge", () => {
  it.live("fails if the look-up also shows an active charge", () =>
    Effect.gen(function* () {
      const { order, charge } = yield* registered
      const active = () => [200, chargeBody(order.txid)] as const
      const { cancel } = yield* connectTo({ PATCH: active, GET: active })
      expect(yield* Effect.flip(cancel(charge))).toMatchObject({
        _tag: "ProcessorRejected",
        operation: "cancel",
        reason: saying("the bank keeps the charge payable"),
      })
    }),
  )

  it.live("has the outcome that the look-up shows", () =>
    Effect.gen(function* () {
      const { order, charge } = yield* registered
      const { cancel } = yield* connectTo({
        PATCH: () => [200, chargeBody(order.txid)],
        GET: () => [200, chargeBody(order.txid, { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" })],
      })
      expect(yield* cancel(charge)).toEqual({ _tag: "Cancelled" })
    }),
  )
})

it.live("a list fails if the bank refuses a page that its counts promise", () =>
  Effect.gen(function* () {
    const parametros = { paginacao: { quantidadeDePaginas: 3, quantidadeTotalDeItens: 3 } }
    for (const status of [400, 404, 410, 422]) {
      const pages = [{ parametros, pix: [pixBody([])] }]
      const { payments } = yield* connectTo({
        GET: () => {
          const page = pages.shift()
          return page === undefined ? [status, { title: "none" }] : [200, page]
        },
      })
      const { cursor } = yield* payments(company.cnpj, { from: 0, until: 1000 })
      const second = yield* Effect.flip(payments(company.cnpj, { from: 0, until: 1000 }, cursor))
      expect(second).toMatchObject({ _tag: "ProcessorUnavailable", operation: "payments", cause: { status } })
    }
  }),
)

it.live("a list ends after its second empty page, regardless of the bank's counts", () =>
  Effect.gen(function* () {
    const parametros = { paginacao: { quantidadeDePaginas: 999_999 } }
    const { payments } = yield* connectTo({ GET: () => [200, { parametros, pix: [] }] })
    const first = yield* payments(company.cnpj, { from: 0, until: 1000 })
    expect(first.items).toEqual([])
    expect(yield* payments(company.cnpj, { from: 0, until: 1000 }, first.cursor)).toEqual({ items: [] })
  }),
)
