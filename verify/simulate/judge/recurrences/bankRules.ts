import * as Arr from "effect/Array"
import { reportIf } from "../rules.ts"
import {
  businessDay,
  businessDaysBefore,
  cycleStart,
  dayAt,
  dayMs,
  findCycle,
  hourMs,
  momentAt,
  plusDays,
} from "./calendar.ts"
import { type Cobr, type Find, namesCycle, type Rec, type RecurrenceEvidence } from "./RecurrenceEvidence.ts"

/** The time from a decision to its call, including the clocks' difference. */
const slackMs = 10 * 60_000
const approvalMs = 36 * hourMs
export const minUpMs = 20 * hourMs
/** Longer than any outage after the end of a cycle's window. */
const publishedMs = 20 * dayMs

const groupBy = <A>(items: Iterable<A>, key: (item: A) => string) => Object.entries(Arr.groupBy(items, key))

const cycleName = ({ rec, dueDate }: Cobr): string => `${rec.issuer} ${rec.contract} cycle ${findCycle(rec, dueDate)}`

const onlyOnceInCycle: Find = ({ ledger }) =>
  groupBy(ledger.cobrs.values(), cycleName).flatMap(([name, cobrs]) => {
    const holding = cobrs.filter(({ status }) => status !== "rejected" && status !== "cancelled")
    const txids = new Set(cobrs.map(({ txid }) => txid))
    const paid = [...ledger.payments.values()].filter((one) => txids.has(one.txid))
    const sum = paid.reduce((cents, one) => cents + one.amountCents, 0)
    const max = Math.max(...cobrs.map(({ amountCents }) => amountCents))
    return [
      ...reportIf(holding.length > 1, `${name} has ${holding.length} charges`),
      ...reportIf(sum > max, `${name} costs ${sum} of ${max} cents`),
    ]
  })

export const refused = (
  seen: RecurrenceEvidence,
  kind: string,
  refusals: ReadonlyArray<string>,
): ReadonlyArray<string> =>
  seen.ledger.orders
    .filter((order) => order.kind === kind && refusals.includes(order.refusal ?? ""))
    .map(({ about, refusal, on }) => `${kind} of ${about} for ${on} is refused: ${refusal}`)

export const oneAuthorisation: Find = ({ ledger }) =>
  groupBy(ledger.recs.values(), ({ issuer, contract }) => `${issuer} ${contract}`)
    .filter(([, recs]) => recs.length > 1)
    .map(([name, recs]) => `${name} has ${recs.length} authorisations`)

export const oneDebitEachCycle: Find = (seen) => [...onlyOnceInCycle(seen), ...refused(seen, "charge", ["cycle"])]

export const cyclesFollowTerms: Find = ({ ledger, books }) => [
  ...[...ledger.cobrs.values()]
    .filter(({ rec, dueDate }) => rec.amountCents !== undefined && dueDate !== cycleStart(rec, findCycle(rec, dueDate)))
    .map((cobr) => `${cobr.txid}, ${cycleName(cobr)}, is due on ${cobr.dueDate}`),
  ...books.charges.flatMap(({ txid, cycle }) => {
    const cobr = ledger.cobrs.get(txid)
    const isOther = cobr && cycle && findCycle(cobr.rec, cobr.dueDate) !== cycle.cycle
    return reportIf(isOther, `${txid} is stored with cycle ${cycle?.cycle}, but its due date is in another cycle`)
  }),
]

/** When the books learned that a rec is over; undefined if a restore has made them forget it. */
const endKnownAt = ({ written, setBacks }: RecurrenceEvidence, recId: string, before: number): number | undefined => {
  const end = written.find(
    ({ bankId, state, at }) => bankId === recId && (state === "Ended" || state === "Ending") && at < before,
  )
  return setBacks.some(({ at }) => end !== undefined && at > end.at) ? undefined : end?.at
}

const chargesWhenOver: Find = (seen) =>
  seen.ledger.orders.flatMap(({ kind, recId = "", sentAt, about }) => {
    const endedAt = kind === "charge" ? endKnownAt(seen, recId, sentAt - slackMs) : undefined
    return endedAt === undefined
      ? []
      : [`${about} is requested ${(sentAt - endedAt) / 60_000} minutes after the end of ${recId}`]
  })

/**
 * The first day for a request of a charge. A holiday in the payer's city can delay the debit by a business
 * day.
 */
const windowStart = (settlesOn: string): string => plusDays(businessDay(plusDays(settlesOn, 1)), -10)

/** Finds charges and new attempts that were requested too early or too late. */
export const windowsAreKept: Find = ({ ledger }) =>
  ledger.orders.flatMap(({ kind, on = "", sentAt, about }) => {
    if (kind !== "charge" && kind !== "retry") return []
    const isLate = sentAt >= momentAt(plusDays(on, -1), 22) + slackMs
    if (kind === "retry") return reportIf(isLate, `${about} for ${on} is retried too late`)
    const settlesOn = businessDay(on)
    const from = momentAt(windowStart(settlesOn), 0)
    const until = momentAt(businessDaysBefore(settlesOn, 2), 22) + slackMs
    const isOutside = sentAt < from || sentAt >= until
    return reportIf(isOutside, `${about}, due on ${on}, is requested at ${new Date(sentAt).toISOString()}`)
  })

/** Finds charges that were requested before the payer's approval or after the recurrence's end. */
export const chargesAreAuthorised: Find = (seen) => [
  ...refused(seen, "charge", ["unauthorised"]),
  ...chargesWhenOver(seen),
]

/** Finds debits of recurrences, cycles and charges that a client already knew to be over. */
export const cancelledIsNotDebited: Find = ({ answers, ledger, books, setBacks }) =>
  answers.flatMap((answer) => {
    const { isDone, outcome, at, recurrence } = answer
    if (!isDone || setBacks.some((one) => one.at > at)) return []
    const isCancel = answer.do === "cancel" && outcome === "Cancelled"
    const isEnd = answer.do === "end" && outcome === "Ended"
    if (!isCancel && !isEnd && answer.do !== "skip") return []
    const named = books.recurrences.find(({ id }) => id === recurrence)
    const cobrs = [...ledger.cobrs.values()].filter(
      ({ rec }) => rec.issuer === named?.issuer && rec.contract === named.contract,
    )
    return cobrs.flatMap(({ txid, rec, dueDate }) => {
      const isAbout = isEnd || (isCancel ? txid === answer.txid : namesCycle(answer, findCycle(rec, dueDate)))
      const payment = isAbout ? [...ledger.payments.values()].find((one) => one.txid === txid) : undefined
      const isLate = payment !== undefined && (isEnd ? dayAt(payment.paidAt) > dayAt(at) : payment.paidAt > at)
      // A skipped cycle isn't caught up.
      const order = ledger.orders.find(({ kind, about }) => kind === "charge" && about === txid)
      const isCaughtUp = answer.do === "skip" && isAbout && (order?.sentAt ?? 0) > at + slackMs
      return [
        ...reportIf(isCaughtUp, `${txid} is requested after the client got the answer to skip`),
        ...reportIf(isLate, `${txid} is debited after the client got the answer to ${answer.do}`),
      ]
    })
  })

export const upMs = ({ outages }: RecurrenceEvidence, from: number, until: number): number =>
  outages.reduce((ms, one) => ms - Math.max(0, Math.min(until, one.until) - Math.max(from, one.from)), until - from)

export const isRestored = ({ setBacks }: RecurrenceEvidence, from: number, until: number): boolean =>
  setBacks.some(({ at, to }) => at > from && to < until)

/** When a charge of the cycle can last be requested. */
const closesAt = (rec: Rec, cycle: number): number =>
  momentAt(businessDaysBefore(businessDay(cycleStart(rec, cycle)), 2), 22)

const cycleIsOwed = (seen: RecurrenceEvidence, rec: Rec, cycle: number): boolean => {
  const until = closesAt(rec, cycle)
  const opensAt = momentAt(businessDay(windowStart(businessDay(cycleStart(rec, cycle)))), 9)
  const from = Math.max(opensAt, (rec.approvedAt ?? Infinity) + approvalMs)
  if ((rec.status !== "approved" && rec.at < until) || until > seen.now) return false
  return !isRestored(seen, opensAt - 2 * dayMs, until + 2 * dayMs) && from < until && upMs(seen, from, until) >= minUpMs
}

/** True if the cycle must by now be charged or published as missed. A process can have been down for weeks. */
const cycleIsPublished = ({ now }: RecurrenceEvidence, rec: Rec, cycle: number): boolean => {
  const until = closesAt(rec, cycle) + publishedMs
  return rec.approvedAt !== undefined && (rec.status === "approved" || rec.at >= until) && until < now
}

/** Cycles of a fixed amount, neither skipped nor ended, that the bank has no charge of. */
const findUncharged = (
  seen: RecurrenceEvidence,
  isWanted: (seen: RecurrenceEvidence, rec: Rec, cycle: number) => boolean,
): ReadonlyArray<{ readonly recurrence: string; readonly cycle: number; readonly name: string }> =>
  seen.books.recurrences.flatMap((recurrence) => {
    const rec = [...seen.ledger.recs.values()].find(({ id }) => "bankId" in recurrence && recurrence.bankId === id)
    if (rec?.amountCents === undefined) return []
    const charged = new Set(
      [...seen.ledger.cobrs.values()].filter((one) => one.rec === rec).map((one) => findCycle(rec, one.dueDate)),
    )
    const isLeftOut = (cycle: number): boolean =>
      seen.answers.some(
        (one) =>
          one.recurrence === recurrence.id && (one.do === "end" || (one.do === "skip" && namesCycle(one, cycle))),
      )
    return Array.from({ length: 59 }, (_, index) => index + 1)
      .filter((cycle) => cycleStart(rec, cycle) <= (rec.endDate ?? dayAt(seen.now)) && !charged.has(cycle))
      .filter((cycle) => !isLeftOut(cycle) && isWanted(seen, rec, cycle))
      .map((cycle) => ({ recurrence: recurrence.id, cycle, name: `cycle ${cycle} of ${rec.contract}` }))
  })

export const cyclesAreCharged: Find = (seen) =>
  findUncharged(seen, cycleIsOwed).map(({ name }) => `${name} was never charged`)

/** Finds cycles that were neither charged at the bank nor published as missed. */
export const missedArePublished: Find = (seen) => {
  const published = new Set(
    seen.receipts.flatMap(({ event }) =>
      event.kind === "payment-failed" && event.reason === "missed"
        ? [`${event.recurrence.recurrenceId} ${event.cycle}`]
        : [],
    ),
  )
  return findUncharged(seen, cycleIsPublished)
    .filter(({ recurrence, cycle }) => !published.has(`${recurrence} ${cycle}`))
    .map(({ name }) => `${name} was neither charged nor published as missed`)
}
