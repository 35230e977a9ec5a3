import type { PaymentProcessor } from "@pixcharge/core"
import { anOrder, registeredPending } from "@pixcharge/testkit/fixtures"
import { it } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { chargeAnswer, openAnsweringBank } from "../bank/answeringBank.ts"
import { company } from "../bank/openBank.ts"

type Processor = PaymentProcessor["Service"]

const due = (dataDeVencimento: unknown) => ({ calendario: { criacao: "", dataDeVencimento } })

/** A charge as we have it, and what a bank answers of it from then on. */
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

describe("a charge that a bank shows with less than it should", () => {
  it.live("of a due date is asked for nothing else: its terms are not known", () =>
    Effect.gen(function* () {
      for (const calendario of [{}, { criacao: "" }, { dataDeVencimento: {} }, null, "", { dataDeVencimento: "x" }]) {
        const view = yield* lookUp(yield* known(3, () => ({ calendario })))
        expect(view).toMatchObject({ status: "active" })
        expect(view).not.toHaveProperty("terms")
      }
      const immediate = yield* lookUp(yield* known(undefined, () => ({ calendario: "x" })))
      expect(immediate.terms).toEqual({ amountCents: 1990 })
    }),
  )

  it.live("of a due date that is an instant has that date", () =>
    Effect.gen(function* () {
      for (const time of ["T00:00:00Z", "T00:00:00-03:00", "T12:00:00Z"]) {
        const { charge, processor } = yield* known(3, (_, dueDate) => due(`${dueDate}${time}`))
        const view = yield* processor.lookup(charge)
        expect(view.terms).toEqual({ amountCents: 1990, dueDate: charge.dueDate })
      }
    }),
  )

  it.live("of its payments has those of the list, in whatever case that writes its txid", () =>
    Effect.gen(function* () {
      const payment = { endToEndId: "E".padEnd(32, "1"), valor: "19.90", horario: "2026-11-20T15:00:00Z" }
      const answer = (txid: string, dueDate?: string) => ({
        ...due(dueDate),
        status: "CONCLUIDA",
        pix: undefined,
        ...(dueDate === undefined && { parametros: {}, pix: [{ ...payment, txid: txid.toUpperCase() }, payment] }),
      })
      const view = yield* lookUp(yield* known(3, answer))
      expect(view.payments).toMatchObject([{ endToEndId: payment.endToEndId, amountCents: 1990 }])
    }),
  )
})

describe("a bank's own code", () => {
  it.live("without field 62 is handed out", () =>
    Effect.gen(function* () {
      const pixCopiaECola =
        "00020126570014br.gov.bcb.pix2535bank.example/qr/v2/abcdef012" +
        "34567895204000053039865802BR5905BANCO6006RECIFE63048FA8"
      const order = yield* anOrder(company)
      const { processor } = yield* openAnsweringBank((call) =>
        call.startsWith("PUT") ? [201, chargeAnswer(order.txid, { pixCopiaECola })] : [404, { title: "não há" }],
      )
      expect((yield* processor.register(order)).brCode).toBe(pixCopiaECola)
    }),
  )
})
