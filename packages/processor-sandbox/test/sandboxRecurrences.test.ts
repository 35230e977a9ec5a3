import { brasiliaHour, type LocalDate } from "@pixcharge/core/calendar"
import type { CycleCharge, PendingCharge } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import { type DebitOutcome, RecurrenceSimulator } from "@pixcharge/core/internal"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import type { Debit, RequestedRecurrence } from "@pixcharge/core/recurrence"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import {
  aCompany,
  aCycleCharge,
  anApprovedRecurrence,
  aRecurrence,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"

const company = aCompany()

const goTo = (day: number, hour: number) =>
  TestClock.setTime(brasiliaHour(`2026-06-${String(day).padStart(2, "0")}` as LocalDate, hour))

const days = (...all: ReadonlyArray<number>) => all.map((day) => `2026-06-${day}` as LocalDate)

const open = Effect.gen(function* () {
  yield* TestClock.setTime(fixtureNow)
  const services = yield* Layer.build(Layer.fresh(sandboxProcessor()))
  return { bank: Context.get(services, RecurrenceProcessor), payer: Context.get(services, RecurrenceSimulator) }
})

/** Opens a bank with an approved recurrence. Its first cycle settles on Wednesday, 10 June. */
const openApproved = Effect.fnUntraced(function* (overrides: Partial<RequestedRecurrence> = {}) {
  const { bank, payer } = yield* open
  const requested = aRecurrence(overrides)
  const { bankId } = yield* bank.offer({ company, recurrence: requested, isFresh: true })
  const approved = anApprovedRecurrence(requested, { bankId })
  expect(yield* payer.play(approved, "approve")).toBe(true)
  const charge = (one: CycleCharge<PendingCharge>) => bank.charge({ company, charge: one })
  const refusalOf = (one: CycleCharge<PendingCharge>) => Effect.map(Effect.flip(charge(one)), ({ _tag }) => _tag)
  return { bank, payer, approved, charge, refusalOf }
})

describe("the charge of a cycle", () => {
  it.effect("needs the payer's authorisation and the authorised amount", () =>
    Effect.gen(function* () {
      const amountCents = 4_990 as Cents
      const { approved, charge, refusalOf } = yield* openApproved({ amountCents })
      expect(yield* refusalOf(aCycleCharge(anApprovedRecurrence(aRecurrence())))).toBe("ProcessorRejected")
      expect(yield* refusalOf(aCycleCharge(approved, {}, { amountCents: 4_991 as Cents }))).toBe("ProcessorRejected")
      yield* charge(aCycleCharge(approved, {}, { amountCents }))
    }),
  )

  it.effect("is the only one of its cycle until it is cancelled, but can be requested again unchanged", () =>
    Effect.gen(function* () {
      const { bank, approved, charge, refusalOf } = yield* openApproved()
      const first = aCycleCharge(approved)
      yield* charge(first)
      yield* charge(first)
      expect(yield* refusalOf({ ...first, amountCents: 1 as Cents })).toBe("ProcessorRejected")
      const second = aCycleCharge(approved, { generation: 2 })
      expect(yield* refusalOf(second)).toBe("ProcessorRejected")
      expect(yield* bank.cancelCharge(first)).toEqual({ _tag: "Cancelled" })
      yield* charge(second)
    }),
  )

  it.effect("can be made and cancelled until 22:00 of the day before its debit", () =>
    Effect.gen(function* () {
      const { bank, approved, charge, refusalOf } = yield* openApproved()
      const first = aCycleCharge(approved)
      yield* charge(first)
      yield* goTo(9, 22)
      expect(yield* refusalOf(aCycleCharge(approved, { cycle: 2 }))).toBe("ProcessorRejected")
      expect(yield* Effect.flip(bank.cancelCharge(first))).toMatchObject({ _tag: "ProcessorRejected" })
      yield* goTo(10, 4)
      expect(yield* bank.cancelCharge(first)).toMatchObject({ _tag: "Paid", view: { status: "completed" } })
    }),
  )
})

describe("a debit attempt", () => {
  const fourFailures: ReadonlyArray<DebitOutcome> = ["noBalance", "noBalance", "noBalance", "noBalance"]

  it.effect("can be requested three more times on permitted days, each time after the previous attempt has ended", () =>
    Effect.gen(function* () {
      const { bank, payer, approved, charge } = yield* openApproved()
      const one = aCycleCharge(approved, { retryDays: days(11, 12, 15, 16) })
      for (const outcome of fourFailures) yield* payer.playDebit(approved, outcome)
      yield* charge(one)
      const refusalOn = (day: number) =>
        Effect.map(Effect.flip(bank.retry(one, days(day)[0] as LocalDate)), ({ _tag }) => _tag)
      expect(yield* refusalOn(11)).toBe("ProcessorRejected")
      yield* goTo(10, 21)
      expect(yield* refusalOn(13)).toBe("ProcessorRejected")
      for (const on of days(11, 12, 15)) {
        yield* bank.retry(one, on)
        yield* bank.retry(one, on)
        yield* TestClock.setTime(brasiliaHour(on, 21))
        expect((yield* bank.lookupCharge(one)).debit.attempts.at(-1)).toMatchObject({ on, status: "expired" })
      }
      expect(yield* refusalOn(16)).toBe("ProcessorRejected")
      expect((yield* bank.lookupCharge(one)).debit).toMatchObject({ status: "expired", attempts: { length: 4 } })
    }),
  )

  it.effect("isn't changed by an outcome that is played after its time, even if no call was made in between", () =>
    Effect.gen(function* () {
      const { bank, payer, approved, charge } = yield* openApproved()
      const one = aCycleCharge(approved)
      yield* charge(one)
      yield* goTo(10, 12)
      yield* payer.playDebit(approved, "noBalance")
      expect(yield* bank.lookupCharge(one)).toMatchObject({ status: "completed", debit: { status: "completed" } })
    }),
  )
})

it.effect(
  "a debit can't be played for an unknown recurrence, or for an ended recurrence without an active charge",
  () =>
    Effect.gen(function* () {
      const { bank, payer, approved, charge } = yield* openApproved()
      const unknown = aRecurrence()
      expect(yield* payer.play(unknown, "approve")).toBe(false)
      expect(yield* payer.playDebit(unknown, "noBalance")).toBe(false)
      const one = aCycleCharge(approved)
      yield* charge(one)
      yield* goTo(9, 23)
      // The debit of the next day can no longer be stopped.
      yield* bank.end(approved)
      expect(yield* payer.playDebit(approved, "noBalance")).toBe(true)
      yield* goTo(10, 21)
      expect((yield* bank.lookupCharge(one)).debit.attempts).toMatchObject([{ status: "expired" }])
      yield* goTo(20, 12)
      expect(yield* payer.playDebit(approved, "noBalance")).toBe(false)
    }),
)

it.effect("the sandbox's bank restores recurrences and charges from the books after a restart", () =>
  Effect.gen(function* () {
    const { bank } = yield* open
    const requested = aRecurrence()
    const approved = anApprovedRecurrence(requested)
    expect(yield* bank.lookup(requested)).toBeUndefined()
    expect(yield* bank.lookup(approved)).toEqual({ bankId: approved.bankId, status: "approved" })
    const [on] = days(10) as [LocalDate]
    const withDebit = (debit: Partial<Debit>) =>
      aCycleCharge(approved, {}, { debit: { status: "scheduled", retries: [], attempts: [], ...debit } })
    const scheduled = withDebit({ attempts: [{ kind: "first", on, status: "scheduled" }] })
    yield* goTo(10, 4)
    expect(yield* bank.lookupCharge(scheduled)).toMatchObject({ status: "completed", debit: { status: "completed" } })
    for (const [status, shown] of [
      ["requested", "absent"],
      ["rejected", "rejected"],
      ["unpaid", "expired"],
    ] as const) {
      expect((yield* bank.lookupCharge(withDebit({ status }))).debit.status).toBe(shown)
    }
  }),
)
