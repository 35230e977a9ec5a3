import { addDays, brasiliaDate } from "@pixcharge/core/calendar"
import { cycleSchedule } from "@pixcharge/core/plain"
import { aPayer } from "@pixcharge/testkit/fixtures"
import { it } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { expect, vi } from "vitest"
import { mounts } from "../bank/mounts.ts"
import { company } from "../bank/openBank.ts"
import { openShop } from "../bank/openShop.ts"
import { receivingAccount } from "./aRecurrence.ts"

const eventually = (check: () => unknown) => Effect.promise(() => vi.waitFor(check, { timeout: 120_000, interval: 50 }))

/** A first day whose cycle can be charged now, and for a while longer: windows open and close at hours of business days. */
const findStartDate = () => {
  const now = Date.now()
  const days = Array.from({ length: 14 }, (_, n) => addDays(brasiliaDate(now), n + 1))
  return days.find((startDate) => {
    const schedule = cycleSchedule({ period: "monthly", startDate }, 1)
    return schedule !== undefined && schedule.opensAt <= now && now + 600_000 < schedule.closesAt
  })
}

it.live("a subscription is offered, authorised, charged and paid, and its host is told by what the bank calls", () =>
  Effect.gen(function* () {
    const { psp, bank, pix, events } = yield* openShop({ connection: { receivingAccount }, recurrences: true })
    const { baseUrl, close } = yield* Effect.promise(() => mounts.Hono(pix))
    yield* Effect.addFinalizer(() => Effect.promise(close))
    const order = { pixKey: company.pixKey, mountedAt: baseUrl, reconcile: pix.reconcile }
    yield* Effect.promise(() => bank.registerWebhook(company.cnpj, order))
    const id = randomUUID()
    const { brCode } = yield* Effect.promise(() =>
      pix.recurrences.offer(company.cnpj, {
        id,
        payer: { name: aPayer.name, taxId: aPayer.taxId },
        title: "Academia",
        period: "monthly",
        startDate: findStartDate() ?? "none",
        amountCents: 4_990,
        retries: "threeInSeven",
        journey: { by: "code" },
      }),
    )
    expect(brCode).toMatch(/^000201/)
    const [bankId = ""] = psp.recurring.ledger.recs.keys()
    psp.recurring.approve(bankId)
    const told = (...kinds: ReadonlyArray<string>) =>
      eventually(() => expect(events.map(({ kind }) => kind)).toEqual(kinds))
    yield* told("recurrence-approved", "payment-scheduled")
    const [cycle] = psp.recurring.ledger.cycles.values()
    psp.recurring.runDay(cycle?.settlesOn ?? "")
    yield* told("recurrence-approved", "payment-scheduled", "paid")
    expect(psp.recurring.debits).toMatchObject([{ idRec: bankId, amountCents: 4_990 }])
  }),
)
