import { anOrder, registeredPending } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { type BankAnswer, chargeAnswer, openAnsweringBank } from "../bank/answeringBank.ts"
import { company } from "../bank/openBank.ts"

const notFound: BankAnswer = [404, { title: "não há", status: 404 }]

/** Answers to an executed call that contain no charge, or an incomplete one. */
const incompleteAnswers: ReadonlyArray<readonly [what: string, answer: BankAnswer]> = [
  ["200 with nothing", [200]],
  ["201 with nothing", [201]],
  ["204", [204]],
  ["201 with {}", [201, {}]],
  ["201 with less than a charge", [201, { txid: "", status: "ATIVA" }]],
]

const silentBank = (txid: string, emptyAnswer: BankAnswer) => {
  let status: string | undefined
  return openAnsweringBank((call) => {
    if (call.startsWith("GET")) return status === undefined ? notFound : [200, chargeAnswer(txid, { status })]
    status = call.startsWith("PUT") ? "ATIVA" : "REMOVIDA_PELO_USUARIO_RECEBEDOR"
    return emptyAnswer
  })
}

describe.each(incompleteAnswers)("a bank that answers a change with %s", (_, emptyAnswer) => {
  it.live("gets a look-up, and its charge can then be handed out and removed", () =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      const { processor, calls } = yield* silentBank(order.txid, emptyAnswer)
      const made = yield* processor.register(order)
      expect(made.brCode).toContain("bank.example/qr/v2/abcdef0123456789")
      expect(calls).toEqual(["GET", "PUT", "GET"].map((method) => `${method} /cob/${order.txid}`))
      expect(yield* processor.cancel(registeredPending(order, made))).toEqual({ _tag: "Cancelled" })
    }),
  )

  it.live("has an unavailable charge if the look-up doesn't show the charge", () =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      const { processor } = yield* openAnsweringBank((call) => (call.startsWith("PUT") ? emptyAnswer : notFound))
      expect(yield* Effect.flip(processor.register(order))).toMatchObject({
        _tag: "ProcessorUnavailable",
        operation: "register",
        cause: { _tag: "UnreadableAnswer" },
      })
    }),
  )

  it.live("counts as unavailable if it refuses the look-up", () =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      let puts = 0
      const { processor } = yield* openAnsweringBank((call) => {
        if (!call.startsWith("PUT")) return puts === 0 ? notFound : [403, { title: "não" }]
        puts += 1
        return emptyAnswer
      })
      expect(yield* Effect.flip(processor.register(order))).toMatchObject({
        _tag: "ProcessorUnavailable",
        operation: "register",
        cause: { _tag: "PspRefusal", status: 403 },
      })
    }),
  )
})

describe("a new due-date charge without its date in the answer", () => {
  const registered = (shown: (txid: string, dueDate?: string) => BankAnswer) =>
    Effect.gen(function* () {
      const { txid, dueDate, ...order } = yield* anOrder(company, { dueInDays: 3 })
      let puts = 0
      const { processor } = yield* openAnsweringBank((call) => {
        if (!call.startsWith("PUT")) return puts === 0 ? notFound : shown(txid, dueDate)
        puts += 1
        return [201, chargeAnswer(txid, { calendario: { criacao: "2026-11-20T10:00:00Z" } })]
      })
      return yield* Effect.result(processor.register({ ...order, txid, ...(dueDate && { dueDate }) }))
    })
  const due = (dataDeVencimento: string | undefined) => ({ calendario: { dataDeVencimento } })

  it.live("is looked up, and must have the requested due date", () =>
    Effect.gen(function* () {
      const made = yield* registered((txid, dueDate) => [200, chargeAnswer(txid, due(dueDate))])
      expect(made).toMatchObject({ _tag: "Success" })
      const other = yield* registered((txid) => [200, chargeAnswer(txid, due("2020-01-01"))])
      expect(other).toMatchObject({ failure: { _tag: "ProcessorRejected" } })
      const refused = yield* registered(() => [403, { title: "não" }])
      expect(refused).toMatchObject({ failure: { _tag: "ProcessorUnavailable", operation: "register" } })
    }),
  )
})

describe("a refund with an empty answer", () => {
  const refund = (emptyAnswer: BankAnswer, shown: BankAnswer) =>
    Effect.gen(function* () {
      const { processor } = yield* openAnsweringBank((call) => (call.startsWith("PUT") ? emptyAnswer : shown))
      const order = {
        issuer: company.cnpj,
        amountCents: 1990 as never,
        endToEndId: "E".padEnd(32, "1"),
        refundId: "abcR1",
      }
      return yield* Effect.result(processor.refund(order))
    })
  const row = { id: "abcR1", valor: "19.90", status: "DEVOLVIDO", horario: { liquidacao: "2026-11-20T15:00:00Z" } }

  for (const emptyAnswer of [[200], [201], [204], [201, {}], [201, { id: "abcR1", status: "DEVOLVIDO" }]] as const) {
    it.live(`has the outcome that its look-up shows (${JSON.stringify(emptyAnswer)})`, () =>
      Effect.gen(function* () {
        expect(yield* refund(emptyAnswer, [200, row])).toMatchObject({
          success: { _tag: "Returned", returnedAt: Date.UTC(2026, 10, 20, 15) },
        })
        expect(yield* refund(emptyAnswer, notFound)).toMatchObject({ failure: { _tag: "ProcessorUnavailable" } })
        expect(yield* refund(emptyAnswer, [200, { ...row, valor: "1.00" }])).toMatchObject({
          success: { _tag: "Returned", amountCents: 100 },
        })
        expect(yield* refund(emptyAnswer, [403, { title: "não" }])).toMatchObject({
          failure: { _tag: "ProcessorUnavailable", operation: "refund" },
        })
      }),
    )
  }
})
