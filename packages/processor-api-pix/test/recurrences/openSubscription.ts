import { addDays, brasiliaDate } from "@pixcharge/core/calendar"
import { cycleSchedule } from "@pixcharge/core/plain"
import { aPayer } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { expect, vi } from "vitest"
import { mounts } from "../bank/mounts.ts"
import { company } from "../bank/openBank.ts"
import { openShop, type ShopOptions } from "../bank/openShop.ts"
import { receivingAccount } from "./aRecurrence.ts"

/**
 * Finds a first day whose cycle can be charged now and in the next ten minutes. Such periods begin and end at certain
 * hours of business days.
 */
const findStartDate = () => {
  const now = Date.now()
  const days = Array.from({ length: 14 }, (_, n) => addDays(brasiliaDate(now), n + 1))
  return days.find((startDate) => {
    const schedule = cycleSchedule({ period: "monthly", startDate }, 1)
    return schedule !== undefined && schedule.opensAt <= now && now + 600_000 < schedule.closesAt
  })
}

/**
 * Opens a subscription of R$ 49,90 a month. The payer has authorised it, and the bank has scheduled the first debit.
 */
export const openSubscription = (options: ShopOptions = {}) =>
  Effect.gen(function* () {
    const shop = yield* openShop({ connection: { receivingAccount }, recurrences: true, ...options })
    const { psp, bank, pix, events } = shop
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
    const [bankId = ""] = psp.recurring.ledger.recs.keys()
    psp.recurring.approve(bankId)
    const waitForEvents = (...kinds: ReadonlyArray<string>) =>
      Effect.promise(() =>
        vi.waitFor(() => expect(events.map(({ kind }) => kind)).toEqual(kinds), { timeout: 120_000, interval: 50 }),
      )
    yield* waitForEvents("recurrence-approved", "payment-scheduled")
    const debit = () => psp.recurring.runDay([...psp.recurring.ledger.cycles.values()][0]?.settlesOn ?? "")
    return { ...shop, id, brCode, bankId, waitForEvents, debit }
  })
