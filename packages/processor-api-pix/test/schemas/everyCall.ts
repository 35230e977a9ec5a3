import type { Cents } from "@pixcharge/core/money"
import type { FeesInput } from "@pixcharge/core/money"
import { parseFees } from "@pixcharge/core/money"
import { anOrder, aPayer, aRefundId, registeredPending } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { standardProfile } from "@pixcharge/processor-api-pix"
import { company, openBank } from "../bank/openBank.ts"

const someFees: ReadonlyArray<FeesInput> = [
  {},
  {
    fine: { kind: "percent", basisPoints: 200 },
    interest: { kind: "percentPerMonth", days: "calendar", basisPoints: 100 },
    abatement: { kind: "fixed", amountCents: 10 },
    discount: { kind: "fixedUntil", tiers: [{ daysBefore: 1, amountCents: 5 }] },
  },
  { discount: { kind: "percentPerDayEarly", days: "business", basisPoints: 10 } },
]

const aContactedPayer = {
  ...aPayer,
  email: "joana@example.com",
  address: { street: "Rua A, 1", city: "Recife", state: "PE", postalCode: "50010000" },
}

/** Makes each kind of API call, with successes and refusals. Returns the bank that received them. */
export const makeEveryCall = Effect.gen(function* () {
  const { psp, bank, processor } = yield* openBank(
    { ways: { returnPace: "manual", putOnExisting: "refuses" } },
    { profile: { ...standardProfile, putOnExisting: "refuses" } },
  )
  yield* Effect.promise(() =>
    bank.registerWebhook(company.cnpj, {
      pixKey: company.pixKey,
      mountedAt: "https://shop.invalid/pix",
      reconcile: async () => undefined,
    }),
  )
  for (const fees of someFees) {
    for (const dueInDays of [undefined, 3]) {
      const priced = { ...company, fees: Result.getOrThrow(parseFees(fees)) }
      const given = dueInDays === undefined ? { payer: aPayer } : { dueInDays, payer: aContactedPayer }
      const order = yield* anOrder(priced, given)
      const charge = registeredPending(order, yield* processor.register(order))
      yield* processor.lookup(charge)
      yield* processor.change({ ...order, amountCents: 77 as Cents, messageToPayer: "Pedido 7" })
      yield* processor.change({ ...order, messageToPayer: "Pedido 7", payableForSeconds: 7200 })
      if (fees.fine === undefined) {
        yield* processor.cancel(charge)
        continue
      }
      const { endToEndId } = psp.pay(company.cnpj, charge.txid)
      yield* processor.cancel(charge)
      const refund = {
        issuer: company.cnpj,
        endToEndId,
        amountCents: 100 as Cents,
        refundId: aRefundId({ endToEndId }),
      }
      yield* processor.lookupRefund(refund)
      yield* processor.refund(refund)
      psp.endReturn(endToEndId, refund.refundId, "returned")
      yield* processor.refund(refund)
      psp.returnOutside(endToEndId, 1, "MED_FRAUDE")
      yield* processor.lookup(charge)
    }
  }
  const period = { from: Date.now() - 60_000, until: Date.now() + 1 }
  yield* processor.payments(company.cnpj, period)
  yield* processor.payments(company.cnpj, { ...period, isReturned: true })
  return psp
})
