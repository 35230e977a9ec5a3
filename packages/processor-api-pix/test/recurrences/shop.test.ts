import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { openSubscription } from "./openSubscription.ts"

it.live("offers, authorises, charges and pays a subscription, and notifies its host by the bank's calls", () =>
  Effect.gen(function* () {
    const { bankId, brCode, debit, psp, told } = yield* openSubscription()
    expect(brCode).toMatch(/^000201/)
    debit()
    yield* told("recurrence-approved", "payment-scheduled", "paid")
    expect(psp.recurring.debits).toMatchObject([{ idRec: bankId, amountCents: 4_990 }])
  }),
)
