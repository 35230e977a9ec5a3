import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { openSubscription } from "./openSubscription.ts"

it.live("a subscription is offered, authorised, charged and paid, and the bank's calls lead to the host's events", () =>
  Effect.gen(function* () {
    const { bankId, brCode, debit, psp, waitForEvents } = yield* openSubscription()
    expect(brCode).toMatch(/^000201/)
    debit()
    yield* waitForEvents("recurrence-approved", "payment-scheduled", "paid")
    expect(psp.recurring.debits).toMatchObject([{ idRec: bankId, amountCents: 4_990 }])
  }),
)
