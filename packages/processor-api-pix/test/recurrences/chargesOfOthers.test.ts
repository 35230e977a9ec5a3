import type { BankWays } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { company, otherCompany } from "../bank/openBank.ts"
import { openSubscription } from "./openSubscription.ts"

const { cnpj } = company

/** What the bank can show to prove that a charge with our txid doesn't belong to the cycle. */
const shown: Readonly<Record<string, object>> = {
  "another recurrence": { idRec: "RR1234567820260101zzzzzzzzzzz" },
  "another company's key": { chave: otherCompany.pixKey },
}

const openShown = Effect.gen(function* () {
  const ways: { more?: object } = {}
  const reshape: BankWays["reshape"] = (answer, { path }) =>
    ways.more !== undefined && path.startsWith("/cobr/") && answer.status < 300
      ? { ...answer, body: { ...Object(answer.body), ...ways.more } }
      : answer
  const opened = yield* openSubscription({ psp: { ways: { reshape } } })
  const { items } = yield* Effect.promise(() => opened.pix.recurrences.charges(cnpj, opened.id))
  return { ...opened, ways, chargeId: items[0]?.id ?? "" }
})

describe("a cycle's charge whose txid belongs to another charge at the bank", () => {
  for (const [what, more] of Object.entries(shown)) {
    it.live(`can't be cancelled, and isn't sent to the bank, if the bank shows ${what}`, () =>
      Effect.gen(function* () {
        const { chargeId, pix, psp, ways } = yield* openShown
        ways.more = more
        yield* Effect.promise(() =>
          expect(pix.cancel(cnpj, chargeId)).rejects.toMatchObject({ _tag: "ProcessorRejected" }),
        )
        expect(psp.exchanges.filter(({ method }) => method === "PATCH")).toEqual([])
      }),
    )

    it.live(`can't be refunded, and no return is requested, if the bank shows ${what}`, () =>
      Effect.gen(function* () {
        const { chargeId, debit, pix, psp, waitForEvents, ways } = yield* openShown
        debit()
        yield* waitForEvents("recurrence-approved", "payment-scheduled", "paid")
        ways.more = more
        for (const refund of [
          () => pix.refund(cnpj, chargeId),
          () => pix.refundPart(cnpj, chargeId, { key: "a", amountCents: 100 }),
        ]) {
          yield* Effect.promise(() => expect(refund()).rejects.toMatchObject({ _tag: "RefundRejected" }))
        }
        expect(psp.exchanges.filter(({ path }) => path.includes("/devolucao/"))).toEqual([])
        delete ways.more
        yield* Effect.promise(() => pix.refund(cnpj, chargeId))
        expect(psp.exchanges.filter(({ path }) => path.includes("/devolucao/")).length).toBeGreaterThan(0)
      }),
    )
  }
})
