import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Holidays } from "../../model/calendar/Holidays.ts"
import type { CycleSchedule } from "../../model/cycle/cycles.ts"
import { askAmount, passCycle } from "../../model/recurrence/decideRecurrence.ts"
import { type CyclePlan, findNextCycle, planCycle } from "../../model/recurrence/CycleCharge.ts"
import type { ApprovedRecurrence, Recurrence } from "../../model/recurrence/Recurrence.ts"
import { findFreed, isReturnable, nextCheckAt } from "../../model/recurrence/recurrenceChecks.ts"
import {
  followDebit,
  followPaid,
  recoverCycle,
  recoverEnded,
  recoverNext,
  registerCharge,
  storeCycleCharge,
} from "./cycleCharges.ts"
import { findHolidays, loadRecurrence, moveRecurrence } from "./moveRecurrence.ts"
import { followRecurrence } from "./recurrenceLife.ts"
import { RecurrencePorts } from "./RecurrencePorts.ts"

/** A failed step doesn't stop the further steps; the check then fails at its end. */
export const checkRecurrence = Effect.fnUntraced(function* (due: Recurrence) {
  const { issuer, id, version, nextCycle } = due
  const holidays = yield* findHolidays(issuer)
  const debits = yield* followDebits(due, holidays)
  const advanced = yield* Effect.result(advance(due, holidays))
  const after = Result.isSuccess(advanced) ? advanced.success : yield* loadRecurrence(issuer, id)
  // The last charges are looked up once a cycle, or once a week without a debit.
  const isTurn = after.nextCycle !== nextCycle || (debits.length === 0 && Result.isSuccess(advanced))
  const { hasPaid, last } = isTurn ? yield* followLast(after) : { hasPaid: debits.length > 0, last: [] }
  yield* Effect.fromResult(advanced)
  const moved = yield* Effect.forEach([...debits, ...last], Effect.fromResult)
  yield* reschedule(after, holidays, hasPaid)
  return moved.includes(true) || after.version !== version
})

const followDebits = Effect.fnUntraced(function* (recurrence: Recurrence, holidays: Holidays) {
  const { recurrences } = yield* RecurrencePorts
  const open = yield* recurrences.openCharges(recurrence.issuer, recurrence.id)
  return yield* Effect.forEach(open, (charge) =>
    Effect.result(Effect.map(followDebit(recurrence, charge, holidays), ({ version }) => version !== charge.version)),
  )
})

const advance = Effect.fnUntraced(function* (due: Recurrence, holidays: Holidays) {
  let recurrence = yield* followRecurrence(due)
  while (recurrence._tag === "Approved") {
    const { version } = recurrence
    recurrence = yield* decideNext(recurrence, holidays)
    if (recurrence.version === version) return recurrence
  }
  return yield* recoverEnded(recurrence, holidays)
})

/** The open cycle goes first: its window may close before the bank answers about earlier cycles. */
const decideNext = Effect.fnUntraced(function* (recurrence: ApprovedRecurrence, holidays: Holidays) {
  const now = yield* Clock.currentTimeMillis
  const next = findNextCycle(recurrence, holidays, now)
  const after = next !== undefined && now >= next.opensAt ? yield* chargeOpen(recurrence, next) : recurrence
  if (after.version !== recurrence.version) return after
  const plan = planCycle(recurrence, holidays, now)
  if (plan._tag === "Miss") return yield* passMissed(recurrence, plan.cycle)
  return plan._tag === "Skip" ? yield* passSkipped(recurrence, plan) : recurrence
})

/** If another writer was faster, the next round sees that writer's charge. */
const chargeOpen = Effect.fnUntraced(function* (recurrence: ApprovedRecurrence, schedule: CycleSchedule) {
  const { amountCents } = recurrence
  const { cycle } = schedule
  if (yield* isCharged(recurrence, cycle)) return yield* moveRecurrence(recurrence, passCycle(recurrence, cycle, false))
  if (amountCents === undefined) return yield* moveRecurrence(recurrence, askAmount(schedule))
  const made = yield* storeCycleCharge(recurrence, schedule, { amountCents, generation: 1 })
  if (made === undefined) return yield* loadRecurrence(recurrence.issuer, recurrence.id)
  yield* registerCharge(made.charge, false)
  return made.next
})

const isCharged = Effect.fnUntraced(function* ({ issuer, id }: Recurrence, cycle: number) {
  const { recurrences } = yield* RecurrencePorts
  return (yield* recurrences.lastCharge(issuer, id, cycle)) !== undefined
})

const passMissed = Effect.fnUntraced(function* (recurrence: ApprovedRecurrence, cycle: number) {
  const isMissed = !(yield* isCharged(recurrence, cycle))
  const recovered = isMissed ? yield* recoverCycle(recurrence, cycle) : undefined
  return recovered ?? (yield* moveRecurrence(recurrence, passCycle(recurrence, cycle, isMissed)))
})

/** Stores and cancels a charge that the bank shows only now. */
const passSkipped = Effect.fnUntraced(function* (
  recurrence: Recurrence,
  { cycle, mayBeCharged }: CyclePlan & { readonly _tag: "Skip" },
) {
  const after: Recurrence = (mayBeCharged ? yield* recoverCycle(recurrence, cycle) : undefined) ?? recurrence
  return yield* moveRecurrence(after, passCycle(after, cycle, false))
})

/** A weekly recurrence has fewer payments that can still be returned. */
const maxFollowed = 20

/** Looks for returns, and for charges that restored books have forgotten. */
const followLast = Effect.fnUntraced(function* ({ issuer, id }: Recurrence) {
  const { recurrences } = yield* RecurrencePorts
  const now = yield* Clock.currentTimeMillis
  const { items } = yield* recurrences.charges(issuer, id, { limit: maxFollowed })
  const paid = items.filter((charge) => isReturnable(charge, now))
  const returned = yield* Effect.forEach(paid, (charge) => Effect.result(followPaid(charge)))
  const recovered = yield* Effect.forEach(findFreed(items, now), (charge) => Effect.result(recoverNext(charge)))
  return { hasPaid: paid.length > 0, last: [...returned, ...recovered] }
})

const reschedule = Effect.fnUntraced(function* (recurrence: Recurrence, holidays: Holidays, hasPaid: boolean) {
  const { recurrences } = yield* RecurrencePorts
  const { issuer, id, version } = recurrence
  const now = yield* Clock.currentTimeMillis
  const open = yield* recurrences.openCharges(issuer, id)
  yield* recurrences.schedule(issuer, id, nextCheckAt(recurrence, { holidays, open, mayReturn: hasPaid }, now), version)
})
