import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Holidays } from "../../model/calendar/Holidays.ts"
import {
  type Charge,
  type CycleCharge,
  isCycleCharge,
  isFailed,
  type PendingCharge,
} from "../../model/charge/Charge.ts"
import { requestableUntil } from "../../model/cycle/cycles.ts"
import { type DebitView, unseenMs } from "../../model/cycle/Debit.ts"
import type { Recurrence } from "../../model/recurrence/Recurrence.ts"
import { chargeableUntil } from "../../model/recurrence/recurrenceChecks.ts"
import { logFailure } from "../../runtime/telemetry.ts"
import {
  cancelSkipped,
  findShown,
  isSkipped,
  type PendingCycleCharge,
  recordDebit,
  recordShown,
} from "./cycleCharges.ts"
import { findCompany } from "./recurrenceLife.ts"
import { recoverReplacement } from "./recoverCycles.ts"
import { RecurrencePorts } from "./RecurrencePorts.ts"

/** The bank has none, and gets none. */
const refused: DebitView = { status: "rejected", attempts: [] }

/** Whether the bank may have a charge that it doesn't show: an order without an answer was under way a short while ago. */
const mayHave = ({ createdAt }: PendingCharge) =>
  Effect.map(Clock.currentTimeMillis, (now) => now < createdAt + unseenMs)

/** Tells the bank of a stored charge. What it refuses for good has failed, unless it has the charge all the same. */
export const registerCharge = Effect.fnUntraced(function* (charge: PendingCycleCharge, isRepeated: boolean) {
  const { bank } = yield* RecurrencePorts
  const company = yield* findCompany(charge.issuer)
  const isRefused = yield* bank.charge({ company, charge }).pipe(
    Effect.as(false),
    Effect.catchTag("ProcessorRejected", (cause) =>
      Effect.as(logFailure("Error", `The bank refused the charge ${charge.id} of a cycle`, cause), true),
    ),
  )
  if (!isRefused) return yield* recordDebit(charge, { status: "active", attempts: [] })
  const view = yield* findShown(charge)
  // The txid follows from the cycle: what the bank has under it is this cycle's charge, of another amount if restored books have
  // forgotten what their host had said.
  if (view !== undefined) return yield* recordShown(charge, view)
  const replacement = yield* recoverReplacement(charge)
  if (replacement !== undefined) return replacement
  return isRepeated && (yield* mayHave(charge)) ? charge : yield* recordDebit(charge, refused)
})

/** Asks the bank what became of a debit. While its window is open, a charge that the bank doesn't have is registered again. */
export const followDebit = Effect.fnUntraced(function* (
  recurrence: Recurrence,
  charge: PendingCycleCharge,
  holidays: Holidays,
) {
  const cancelled = yield* cancelSkipped(recurrence, charge)
  if (cancelled !== undefined) return cancelled
  const view = yield* findShown(charge)
  if (view !== undefined) return yield* repeatRetry(recurrence, yield* recordShown(charge, view))
  // A confirmed charge may be shown a while later: its payment would be missed if it failed now.
  if (charge.debit?.status !== "requested") return charge
  const isOpen = (yield* Clock.currentTimeMillis) < chargeableUntil(recurrence, charge, holidays)
  const isOwed = isOpen && !isSkipped(recurrence, charge)
  if (isOwed && recurrence._tag === "Approved") return yield* registerCharge(charge, true)
  return (yield* mayHave(charge)) ? charge : yield* recordDebit(charge, refused)
})

/** Asks again for a new attempt that was stored and that the bank doesn't show, while it can be asked for. */
const repeatRetry = Effect.fnUntraced(function* ({ _tag: state }: Recurrence, charge: Charge) {
  const { bank, chargeMoves } = yield* RecurrencePorts
  if (state !== "Approved" || charge._tag !== "Pending" || isFailed(charge) || !isCycleCharge(charge)) return charge
  const on = charge.debit?.retries.at(-1)
  const isShown = charge.debit?.attempts.some((attempt) => attempt.on === on) === true
  if (on === undefined || isShown || (yield* Clock.currentTimeMillis) >= requestableUntil(on)) return charge
  return yield* bank.retry(charge, on).pipe(
    Effect.as(charge),
    Effect.catchTag("ProcessorRejected", (cause) =>
      Effect.andThen(
        logFailure("Warn", `The bank refused a new attempt of the charge ${charge.id}`, cause),
        chargeMoves.apply(charge, { _tag: "RecordRetryRefusal", on }),
      ),
    ),
  )
})

/** Records what was returned of a paid charge; whether that moved it. */
export const followPaid = Effect.fnUntraced(function* (charge: CycleCharge) {
  const { bank, books } = yield* RecurrencePorts
  const after = yield* books.applyView(charge, yield* bank.lookupCharge(charge))
  return after.version !== charge.version
})
