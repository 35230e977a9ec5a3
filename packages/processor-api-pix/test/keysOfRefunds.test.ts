import type { Pix } from "@pixcharge/embed"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect } from "vitest"
import { company } from "./bank/openBank.ts"
import { anHour, aRequest, aWhileAgo, openShared, type Payment, show } from "./bank/openShared.ts"

const { cnpj } = company
const theirs = "OUTRA@example.com"

interface Paid {
  readonly id: string
  readonly payment: Payment
}

const payCharge = async (pix: Pix, psp: SimulatedBank, due: boolean, times = 1): Promise<Paid> => {
  const { id, txid } = await pix.issue(cnpj, aRequest(due))
  const pay = (after: number) => psp.pay(cnpj, txid, { paidAt: aWhileAgo().paidAt + after })
  const payments = Array.from({ length: times }, (_, index) => pay(index * 1_000))
  const payment = payments.at(-1) ?? pay(0)
  await pix.reconcile(cnpj, anHour())
  return { id, payment }
}

const settled = { by: (pix: Pix, { id }: Paid) => pix.refund(cnpj, id), times: 1 }

const refunds = {
  "a whole charge": settled,
  "a part of a charge": {
    ...settled,
    by: (pix: Pix, { id }: Paid) => pix.refundPart(cnpj, id, { key: "a", amountCents: 500 }),
  },
  "a second payment": {
    by: (pix: Pix, { payment }: Paid) => pix.exceptions.refund(cnpj, payment.endToEndId),
    times: 2,
  },
}

/** The places where the bank can show the other company's key. */
const places = {
  "the charge": (psp: SimulatedBank) => {
    for (const { terms } of psp.ledger.charges.values()) Object.assign(terms.body ?? {}, { chave: theirs })
  },
  "the payment": (psp: SimulatedBank) => {
    for (const payment of psp.ledger.payments.values()) show(payment, theirs)
  },
}

const countCalls = (psp: SimulatedBank, method: string) => psp.exchanges.filter((one) => one.method === method).length
const returnCalls = (psp: SimulatedBank) => psp.exchanges.filter(({ path }) => path.includes("/devolucao/"))

describe("a refund of a payment under another company's key", () => {
  for (const [what, { by, times }] of Object.entries(refunds)) {
    for (const due of [false, true]) {
      const kind = due ? "cobv" : "cob"
      for (const [place, showTheirs] of Object.entries(places)) {
        it.live(`is rejected without a request for a return (${what}, ${kind}, the key is in ${place})`, () =>
          Effect.gen(function* () {
            const { pix, psp } = yield* openShared()
            const paid = yield* Effect.promise(() => payCharge(pix, psp, due, times))
            showTheirs(psp)
            yield* Effect.promise(() =>
              expect(by(pix, paid)).rejects.toMatchObject({
                _tag: times === 2 ? "ExceptionRefundRejected" : "RefundRejected",
                reason: expect.toSatisfy((reason: Redacted.Redacted) => String(Redacted.value(reason)).includes("key")),
              }),
            )
            expect(returnCalls(psp)).toEqual([])
          }),
        )
      }
    }

    it.live(`is made after one look-up if the key is our own (${what})`, () =>
      Effect.gen(function* () {
        const { pix, psp } = yield* openShared()
        const paid = yield* Effect.promise(() => payCharge(pix, psp, false, times))
        const before = countCalls(psp, "GET")
        yield* Effect.promise(() => by(pix, paid) as Promise<unknown>)
        expect(countCalls(psp, "GET") - before).toBe(1)
        expect(returnCalls(psp).length).toBe(1)
      }),
    )
  }

  it.live("is rejected for a payment without a charge", () =>
    Effect.gen(function* () {
      const { pix, psp, ours } = yield* openShared()
      const payment = psp.payToKey(ours.pixKey, 300)
      Object.assign(payment, aWhileAgo())
      yield* Effect.promise(() => pix.reconcile(cnpj, anHour()))
      show(payment, theirs)
      yield* Effect.promise(() =>
        expect(pix.exceptions.refund(cnpj, payment.endToEndId)).rejects.toMatchObject({
          _tag: "ExceptionRefundRejected",
        }),
      )
      expect(returnCalls(psp)).toEqual([])
    }),
  )
})
