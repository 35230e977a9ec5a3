import { type FeesInput, parseFees } from "@pixcharge/core/money"
import { standardProfile } from "@pixcharge/processor-api-pix"
import { anOrder } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect } from "vitest"
import { company, openBank } from "../bank/openBank.ts"

const priced = (fees: FeesInput, graceDays = company.graceDays) => ({
  company: { ...company, graceDays, fees: Result.getOrThrow(parseFees(fees)) },
})

const discountOf = (...daysBefore: ReadonlyArray<number>): FeesInput => ({
  fine: { kind: "percent", basisPoints: 200 },
  discount: { kind: "fixedUntil", tiers: daysBefore.map((days) => ({ daysBefore: days, amountCents: 10 + days })) },
})

for (const putOnExisting of ["alters", "refuses"] as const) {
  const at = Effect.map(
    openBank({ ways: { putOnExisting } }, { profile: { ...standardProfile, putOnExisting } }),
    ({ psp, processor }) => ({
      processor,
      bodyOf: (txid: string) => psp.ledger.charges.get(`${company.cnpj}/${txid}`)?.terms.body,
      puts: () => psp.exchanges.filter(({ method }) => method === "PUT" || method === "PATCH").length,
    }),
  )

  describe(`at a bank that ${putOnExisting} a charge on a second PUT`, () => {
    it.live("an order adopts a charge with more tiers only if an earlier call can have sent them", () =>
      Effect.gen(function* () {
        const { processor, bodyOf } = yield* at
        const sent = yield* anOrder(company, { dueInDays: 9, ...priced(discountOf(8, 5, 2)) })
        const first = yield* processor.register(sent)
        const now = { ...sent, ...priced(discountOf(2)) }
        const fees = (...days: ReadonlyArray<number>) => priced(discountOf(...days)).company.fees
        expect((yield* Effect.flip(processor.register(now)))._tag).toBe("ChargeConflict")
        const fewer = { ...now, earlierFees: [fees(5, 2)] }
        expect((yield* Effect.flip(processor.register(fewer)))._tag).toBe("ChargeConflict")
        const later = { ...now, earlierFees: [fees(8, 5, 2), fees(5, 2)] }
        expect(yield* processor.register(later)).toEqual(first)
        const otherDays = { ...later, company: { ...later.company, graceDays: company.graceDays + 1 } }
        expect((yield* Effect.flip(processor.register(otherDays)))._tag).toBe("ChargeConflict")
        expect(bodyOf(sent.txid)?.valor).toMatchObject({
          desconto: { descontoDataFixa: [{}, {}, {}].map(() => expect.anything()) },
        })
      }),
    )

    it.live("a change replaces fees and grace days", () =>
      Effect.gen(function* () {
        const { processor, bodyOf, puts } = yield* at
        const stored = yield* anOrder(company, { dueInDays: 9, ...priced(discountOf(8, 2), 17) })
        const other = { ...stored, ...priced({ abatement: { kind: "fixed", amountCents: 5 } }, 18) }
        const first = yield* processor.register(other)
        expect(yield* processor.change(stored)).toEqual({ brCode: first.brCode, revision: 1 })
        expect(bodyOf(stored.txid)).toMatchObject({
          calendario: { validadeAposVencimento: 17 },
          valor: { multa: { modalidade: 2, valorPerc: "2.00" }, desconto: { modalidade: 1 } },
        })
        expect(bodyOf(stored.txid)?.valor).not.toHaveProperty("abatimento")
        // A bank doesn't show every term, so equal terms are sent, too.
        const before = puts()
        yield* processor.change(stored)
        expect(puts()).toBe(before + 1)
      }),
    )
  })
}
