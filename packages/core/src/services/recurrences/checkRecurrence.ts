import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Holidays } from "../../model/calendar/Holidays.ts"
import type { ChargePorts } from "../charges/ChargePorts.ts"
import type { Charge, CycleCharge } from "../../model/charge/Charge.ts"
import { refundableUntil } from "../../model/charge/Refund.ts"
import type { RecurrenceProcessor } from "../../ports/RecurrenceProcessor.ts"
import type { ChargeCycles } from "./chargeCycles.ts"
import type { OfferRecurrence } from "./offerRecurrence.ts"
import type { EndRecurrence } from "./endRecurrence.ts"
import type { RecurrenceMoves } from "./RecurrenceMoves.ts"
import { freesCycle } from "../../model/cycle/Debit.ts"
import { type CycleSchedule, cycleSchedule, cycleStart, hasCycle, mayHaveCharge } from "../../model/cycle/cycles.ts"
import { type CyclePlan, findNextCycle, planCycle } from "../../model/recurrence/planCycle.ts"
import type { ApprovedRecurrence, EndingRecurrence, Recurrence } from "../../model/recurrence/Recurrence.ts"
import { nextDebitCheckAt, nextRecurrenceCheckAt } from "../../model/recurrence/recurrenceChecks.ts"

/** An offer without an answer that the bank doesn't show after this long was never made. */
const offerLostMs = 600_000

const weekMs = 7 * 86_400_000

/** A weekly recurrence has fewer payments that may still go back. */
const maxFollowed = 20

/** An immediate charge and its authorisation are one payment: longer than its bank takes to show both. */
const approvalMs = 86_400_000

/**
 * Whether the payer can still authorise by this charge: while a payment of it may be found, and afterwards by one with a due date,
 * after which the payer decides.
 */
const mayAuthorise = (charge: Charge, now: number): boolean => {
  if (charge._tag === "Pending") return now <= charge.watchUntil
  if (charge._tag === "Cancelled") return false
  return charge.dueDate !== undefined || now < charge.payment.paidAt + approvalMs
}

const nothingFollowed = { mayGoBack: false, returned: [], recovered: [] }

/** One check of a recurrence: follows its debits, looks it up at the bank, and makes the charge of the cycle that is open. */
export const makeCheckRecurrence = (
  { recurrences, store }: ChargePorts,
  moves: RecurrenceMoves,
  processor: RecurrenceProcessor["Service"],
  { carryOn, findCompany }: OfferRecurrence,
  { endAtBank }: EndRecurrence,
  cycles: ChargeCycles,
) => {
  /** The recurrence as the bank has it. */
  const lookUp = Effect.fnUntraced(function* (recurrence: Recurrence) {
    const view = yield* processor.lookup(recurrence)
    return view === undefined ? undefined : yield* moves.apply(recurrence, { _tag: "RecordView", view })
  })

  /** Ends it at the bank: first its id there has to be known, where its offer had no answer. */
  const pursueEnd = Effect.fnUntraced(function* (recurrence: EndingRecurrence) {
    const known = recurrence.bankId === undefined ? yield* lookUp(recurrence) : recurrence
    if (known !== undefined) return yield* endAtBank(known)
    const isLost = (yield* Clock.currentTimeMillis) > recurrence.createdAt + offerLostMs
    return isLost ? yield* moves.apply(recurrence, { _tag: "RecordAbsence" }) : recurrence
  })

  /** One that nobody authorises any more is over, of which its bank can't know. */
  const endUnauthorised = Effect.fnUntraced(function* (recurrence: Recurrence) {
    const { issuer, journey } = recurrence
    if (recurrence._tag !== "Offered" || journey.by === "bank") return recurrence
    const charge = journey.by === "payment" ? yield* store.find(issuer, journey.chargeId) : undefined
    const now = yield* Clock.currentTimeMillis
    const isOpen = journey.by === "code" ? now < journey.until : charge === undefined || mayAuthorise(charge, now)
    if (isOpen) return recurrence
    return yield* endAtBank(yield* moves.apply(recurrence, { _tag: "RequestEnd", reason: "expired" }))
  })

  const pursue = (recurrence: Recurrence) => {
    switch (recurrence._tag) {
      case "Requested":
        return Effect.flatMap(findCompany(recurrence.issuer), (company) => carryOn(recurrence, company))
      case "Ending":
        return pursueEnd(recurrence)
      case "Ended":
        return Effect.succeed(recurrence)
      default:
        return Effect.flatMap(lookUp(recurrence), (known) => endUnauthorised(known ?? recurrence))
    }
  }

  /** Whether the host has charged the cycle by a call, before its turn came. */
  const isCharged = ({ issuer, id }: Recurrence, cycle: number) =>
    Effect.map(recurrences.lastCharge(issuer, id, cycle), (charge) => charge !== undefined)

  /** Goes on to the cycle after this one; an event says so where no charge of it was made. */
  const passOver = (recurrence: Recurrence, cycle: number, isMissed: boolean) =>
    moves.moveBy(recurrence, (known, now) => {
      if (known._tag !== recurrence._tag || known.nextCycle !== cycle) return {}
      const next: Recurrence = { ...known, version: known.version + 1, updatedAt: now, nextCycle: cycle + 1 }
      if (!isMissed) return { next }
      return { next, news: { kind: "payment-failed", cycle, reason: "missed", on: cycleStart(known, cycle) } as const }
    })

  /** Gives a cycle up whose window has closed, unless the bank has a charge of it. */
  const giveUp = Effect.fnUntraced(function* (recurrence: ApprovedRecurrence, cycle: number) {
    const isMissed = !(yield* isCharged(recurrence, cycle))
    const recovered = isMissed ? yield* cycles.recover(recurrence, cycle) : undefined
    return recovered ?? (yield* passOver(recurrence, cycle, isMissed))
  })

  /** Passes over a cycle that its host leaves out. What the bank shows of it only now is stored, and so taken back. */
  const skip = Effect.fnUntraced(function* (
    recurrence: ApprovedRecurrence,
    { cycle, hasOpened }: CyclePlan & { readonly _tag: "Skip" },
  ) {
    const recovered = hasOpened ? yield* cycles.recover(recurrence, cycle) : undefined
    return yield* passOver(recovered ?? recurrence, cycle, false)
  })

  /** Asks the host for the amount of a cycle, once. */
  const askHost = (recurrence: ApprovedRecurrence, { cycle, dueDate, closesAt: chargeableUntil }: CycleSchedule) =>
    moves.moveBy(recurrence, (known, now) => {
      if (known._tag !== "Approved" || known.nextCycle > cycle || known.announcedCycle === cycle) return {}
      const next: ApprovedRecurrence = { ...known, version: known.version + 1, updatedAt: now, announcedCycle: cycle }
      return { next, news: { kind: "cycle-due", cycle, dueDate, chargeableUntil } as const }
    })

  /** Makes the charge of the open cycle; where another was faster, the next check sees what that made. */
  const chargeOpen = Effect.fnUntraced(function* (recurrence: ApprovedRecurrence, schedule: CycleSchedule) {
    const { amountCents } = recurrence
    const { cycle } = schedule
    if (yield* isCharged(recurrence, cycle)) return yield* passOver(recurrence, cycle, false)
    if (amountCents === undefined) return yield* askHost(recurrence, schedule)
    const made = yield* cycles.make(recurrence, schedule, { amountCents, generation: 1 })
    if (made === undefined) return yield* moves.load(recurrence.issuer, recurrence.id)
    yield* cycles.register(made.charge, false)
    return made.next
  })

  /** Books that were restored may learn of an end before they know of charges that the bank had until then: it is asked once for each. */
  const settleEnded = Effect.fnUntraced(function* (ended: Recurrence, holidays: Holidays) {
    let recurrence = ended
    while (recurrence._tag === "Ended" && recurrence.bankId !== undefined && recurrence.end.reason !== "declined") {
      const cycle: number = recurrence.nextCycle
      const schedule = cycleSchedule(recurrence, cycle, holidays)
      if (!hasCycle(recurrence, cycle) || !mayHaveCharge(schedule, recurrence.end.at)) return recurrence
      const recovered: Recurrence | undefined = yield* cycles.recover(recurrence, cycle)
      recurrence = yield* passOver(recovered ?? recurrence, cycle, false)
    }
    return recurrence
  })

  /** Decides about one cycle. The open one goes first: its window may close before the bank answers about earlier ones. */
  const decide = Effect.fnUntraced(function* (recurrence: ApprovedRecurrence, holidays: Holidays) {
    const now = yield* Clock.currentTimeMillis
    const next = findNextCycle(recurrence, holidays, now)
    const after = next !== undefined && now >= next.opensAt ? yield* chargeOpen(recurrence, next) : recurrence
    if (after.version !== recurrence.version) return after
    const plan = planCycle(recurrence, holidays, now)
    if (plan._tag === "Miss") return yield* giveUp(recurrence, plan.cycle)
    return plan._tag === "Skip" ? yield* skip(recurrence, plan) : recurrence
  })

  /** Decides about cycle after cycle until there is nothing to do now. Only one whose window is open is charged. */
  const advance = Effect.fnUntraced(function* (read: Recurrence, holidays: Holidays) {
    let recurrence = read
    while (recurrence._tag === "Approved") {
      const { version } = recurrence
      recurrence = yield* decide(recurrence, holidays)
      if (recurrence.version === version) return recurrence
    }
    return yield* settleEnded(recurrence, holidays)
  })

  /** What is looked at next: the recurrence itself, one of its debits, or what may go back of its payments. */
  const reschedule = Effect.fnUntraced(function* (recurrence: Recurrence, holidays: Holidays, mayGoBack: boolean) {
    const { issuer, id, version } = recurrence
    const now = yield* Clock.currentTimeMillis
    const open = yield* recurrences.openCharges(issuer, id)
    const own = nextRecurrenceCheckAt(recurrence, holidays, now) ?? (mayGoBack ? now + weekMs : undefined)
    const moments = [own, ...open.map((charge) => nextDebitCheckAt(charge, now))].filter((at) => at !== undefined)
    const next = moments.length === 0 ? undefined : Math.min(...moments, now + weekMs)
    yield* recurrences.schedule(issuer, id, next, version)
  })

  /** Restored books may have forgotten the charge that came after one which freed its cycle: the bank is asked for its txid. */
  const recoverNext = Effect.fnUntraced(function* ({ issuer, cycle }: CycleCharge) {
    const recurrence = yield* moves.load(issuer, cycle.recurrenceId)
    return (yield* cycles.recover(recurrence, cycle.cycle)) !== undefined
  })

  /**
   * Looks up what the bank may know alone of the last charges: what went back of a payment, for that may be in no list either, and
   * a charge that restored books have forgotten. Returns how these look-ups ended.
   */
  const followLast = Effect.fnUntraced(function* ({ issuer, id }: Recurrence) {
    const now = yield* Clock.currentTimeMillis
    const { items } = yield* recurrences.charges(issuer, id, { limit: maxFollowed })
    const paid = items.filter((charge) => charge._tag === "Paid" && now <= refundableUntil(charge.payment.paidAt))
    const isLast = ({ cycle }: CycleCharge, at: number) => items[at - 1]?.cycle.cycle !== cycle.cycle
    // A backup may be months old: as long as what was paid can go back.
    const isRecent = ({ watchUntil }: CycleCharge) => now <= refundableUntil(watchUntil)
    const free = items.filter((charge, at) => freesCycle(charge) && isLast(charge, at) && isRecent(charge))
    const returned = yield* Effect.forEach(paid, (charge) => Effect.result(cycles.followPaid(charge)))
    const recovered = yield* Effect.forEach(free, (charge) => Effect.result(recoverNext(charge)))
    return { mayGoBack: paid.length > 0, returned, recovered }
  })

  /** A debit about which the bank gives no answer keeps nothing else from being done; the check fails with it in the end. */
  const followOpen = Effect.fnUntraced(function* (recurrence: Recurrence, holidays: Holidays) {
    const open = yield* recurrences.openCharges(recurrence.issuer, recurrence.id)
    return yield* Effect.forEach(open, (charge) =>
      Effect.result(
        Effect.map(cycles.follow(recurrence, charge, holidays), ({ version }) => version !== charge.version),
      ),
    )
  })

  return Effect.fnUntraced(function* (due: Recurrence) {
    const holidays = yield* moves.holidaysFor(due.issuer)
    const open = yield* followOpen(due, holidays)
    // The bank may give no answer about a charge that was just made: it is its cycle's turn all the same.
    const advanced = yield* Effect.result(Effect.flatMap(pursue(due), (known) => advance(known, holidays)))
    const after = Result.isSuccess(advanced) ? advanced.success : yield* moves.load(due.issuer, due.id)
    // Once a cycle, and once a week while there is no debit.
    const isTurn = after.nextCycle !== due.nextCycle || (open.length === 0 && Result.isSuccess(advanced))
    const { mayGoBack, returned, recovered } = isTurn ? yield* followLast(after) : nothingFollowed
    yield* Effect.fromResult(advanced)
    const moved = [
      ...(yield* Effect.forEach(open, Effect.fromResult)),
      ...(yield* Effect.forEach(returned, Effect.fromResult)),
      ...(yield* Effect.forEach(recovered, Effect.fromResult)),
    ]
    yield* reschedule(after, holidays, mayGoBack)
    return moved.includes(true) || after.version !== due.version
  })
}
