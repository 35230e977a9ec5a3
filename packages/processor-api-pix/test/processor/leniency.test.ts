import type { PaymentProcessor } from "@pixcharge/core"
import { standardProfile } from "@pixcharge/processor-api-pix"
import { anOrder, registeredPending } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { chargeAnswer, openAnsweringBank } from "../bank/answeringBank.ts"
import { company } from "../bank/openBank.ts"
import { loggedBy } from "../bank/openShop.ts"
import { saying } from "../saying.ts"

type Processor = PaymentProcessor["Service"]

const due = (dataDeVencimento: unknown) => ({ calendario: { criacao: "", dataDeVencimento } })

const known = (dueInDays: number | undefined, answer: (txid: string, dueDate?: string) => object) =>
  Effect.gen(function* () {
    const order = yield* anOrder(company, dueInDays === undefined ? {} : { dueInDays })
    const more = order.dueDate === undefined ? {} : due(order.dueDate)
    const registering = yield* openAnsweringBank((call) =>
      call.startsWith("PUT") ? [201, chargeAnswer(order.txid, more)] : [404, { title: "não há" }],
    )
    const charge = registeredPending(order, yield* registering.processor.register(order))
    const { processor } = yield* openAnsweringBank((call) => [
      200,
      call === "GET /pix" ? answer(charge.txid) : chargeAnswer(charge.txid, answer(charge.txid, order.dueDate)),
    ])
    return { processor, charge }
  })

const lookUp = ({ processor, charge }: { processor: Processor; charge: Parameters<Processor["lookup"]>[0] }) =>
  processor.lookup(charge)

describe("a charge that a bank shows incompletely", () => {
  it.live("has no terms if its due date is missing or unreadable", () =>
    Effect.gen(function* () {
      for (const calendario of [{}, { criacao: "" }, { dataDeVencimento: {} }, null, "", { dataDeVencimento: "x" }]) {
        const view = yield* lookUp(yield* known(3, () => ({ calendario })))
        expect(view).toMatchObject({ status: "active" })
        expect(view).not.toHaveProperty("terms")
      }
      const immediate = yield* lookUp(yield* known(undefined, () => ({ calendario: "x" })))
      expect(immediate.terms).toEqual({ amountCents: 1990, revision: 0 })
    }),
  )

  it.live("has a due date even if the bank writes it as an instant", () =>
    Effect.gen(function* () {
      for (const time of ["T00:00:00Z", "T00:00:00-03:00", "T12:00:00Z"]) {
        const { charge, processor } = yield* known(3, (_, dueDate) => due(`${dueDate}${time}`))
        const view = yield* processor.lookup(charge)
        expect(view.terms).toEqual({ amountCents: 1990, dueDate: charge.dueDate, revision: 0 })
      }
    }),
  )

  it.live("gets its payments from the bank's list, even if the list has its txid in capitals", () =>
    Effect.gen(function* () {
      const payment = { endToEndId: "E".padEnd(32, "1"), valor: "19.90", horario: "2026-11-20T15:00:00Z" }
      const answer = (txid: string, dueDate?: string) => ({
        ...due(dueDate),
        status: "CONCLUIDA",
        pix: undefined,
        ...(dueDate === undefined && { parametros: {}, pix: [{ ...payment, txid: txid.toUpperCase() }, payment, 7] }),
      })
      const opened = yield* known(3, answer)
      const view = yield* lookUp(opened)
      const output = yield* Effect.promise(() => loggedBy(() => Effect.runPromise(lookUp(opened))))
      expect(output).toContain(
        `The bank's list of payments for charge ${opened.charge.txid} has 1 that can't be read, at (all)`,
      )
      expect(view.payments).toMatchObject([{ endToEndId: payment.endToEndId, amountCents: 1990 }])
    }),
  )
})

it.live("a look-up finds a payment in the last part of a long period", () =>
  Effect.gen(function* () {
    const { charge } = yield* known(undefined, () => ({}))
    const payment = { endToEndId: "E".padEnd(32, "1"), valor: "19.90", horario: "2026-11-20T15:00:00Z" }
    const parametros = { paginacao: { quantidadeDePaginas: 1 } }
    const parts = [[], [], [{ ...payment, txid: charge.txid }]]
    const { processor } = yield* openAnsweringBank(
      (call) => [
        200,
        call === "GET /pix" ? { parametros, pix: parts.shift() } : chargeAnswer(charge.txid, { status: "CONCLUIDA" }),
      ],
      undefined,
      { profile: { ...standardProfile, listPeriod: { days: 1 } } },
    )
    const { payments } = yield* processor.lookup({ ...charge, createdAt: Date.now() - 2.5 * 86_400_000 })
    expect(payments).toMatchObject([{ endToEndId: payment.endToEndId }])
    expect(parts).toEqual([])
  }),
)

describe("a bank's own code", () => {
  const pixCopiaECola =
    "00020126570014br.gov.bcb.pix2535bank.example/qr/v2/abcdef012" +
    "34567895204000053039865802BR5905BANCO6006RECIFE63048FA8"
  const registered = (more: object) =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      const { processor } = yield* openAnsweringBank((call) =>
        call.startsWith("PUT") ? [201, chargeAnswer(order.txid, more)] : [404, { title: "não há" }],
      )
      return yield* Effect.result(processor.register(order))
    })

  it.live("is handed out even without field 62, or if the host of its location is in capitals", () =>
    Effect.gen(function* () {
      for (const location of ["bank.example/qr/v2/abcdef0123456789", "BANK.example/qr/v2/abcdef0123456789"]) {
        expect(yield* registered({ pixCopiaECola, location })).toMatchObject({ success: { brCode: pixCopiaECola } })
      }
    }),
  )

  it.live("is rejected with a reason if it is unusable or belongs to another charge", () =>
    Effect.gen(function* () {
      const elsewhere = "its code points elsewhere than its location"
      for (const [more, why] of [
        [{ pixCopiaECola, location: "other.example/qr/v2/abcdef0123456789" }, elsewhere],
        [{ pixCopiaECola, location: "bank.example/QR/v2/abcdef0123456789" }, elsewhere],
        [{ pixCopiaECola: pixCopiaECola.slice(0, -1) }, "its code breaks a rule: "],
        [{ location: `bank.example/${"x".repeat(80)}` }, "no code can be made of its location: "],
        [{ location: undefined }, "it has neither a code nor a location that makes one"],
      ] as const) {
        expect(yield* registered(more)).toMatchObject({
          failure: { _tag: "ProcessorRejected", reason: saying(`the bank's charge can't be handed out: ${why}`) },
        })
      }
    }),
  )
})
