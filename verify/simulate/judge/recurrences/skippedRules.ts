import { businessDay, businessDaysBefore, cycleStart, dayAt, dayMs, findCycle, momentAt, plusDays } from "./calendar.ts"
import { type Find, namesCycle, type RecurrenceEvidence } from "./RecurrenceEvidence.ts"
import type { Cobr, Rec } from "./RecurrenceLedger.ts"

/** Later than any cycle whose window closed while no process ran is published. */
const publishedMs = 20 * dayMs

const cobrsOf = ({ ledger }: RecurrenceEvidence, issuer: string, contract: string): ReadonlyArray<Cobr> =>
  [...ledger.cobrs.values()].filter(({ rec }) => rec.issuer === issuer && rec.contract === contract)

const cycleOf = ({ rec, dueDate }: Cobr): number => findCycle(rec, dueDate)

interface MissedCycle {
  readonly recurrence: string
  readonly cycle: number
  readonly occurredAt: number
}

const missedCycles = ({ receipts }: RecurrenceEvidence): ReadonlyArray<MissedCycle> =>
  receipts.flatMap(({ event }) =>
    event.kind === "payment-failed" && event.reason === "missed"
      ? [{ recurrence: event.recurrence.recurrenceId, cycle: event.cycle, occurredAt: event.occurredAt }]
      : [],
  )

/** Finds cycles that are published as missed, although the bank has a charge of them. */
export const wronglyMissed: Find = (seen) =>
  missedCycles(seen).flatMap(({ recurrence, cycle }) => {
    const named = seen.books.recurrences.find(({ id }) => id === recurrence)
    if (named === undefined) return []
    const cobr = cobrsOf(seen, named.issuer, named.contract).find((one) => cycleOf(one) === cycle)
    return cobr === undefined
      ? []
      : [`cycle ${cycle} of ${named.contract} counts as missed, but the bank has ${cobr.txid}`]
  })

/** True if a process had to charge the cycle or to publish it as missed. */
const mustBeTold = (seen: RecurrenceEvidence, rec: Rec, recurrence: string, cycle: number): boolean => {
  const settlesOn = businessDay(cycleStart(rec, cycle))
  const closesAt = momentAt(businessDaysBefore(settlesOn, 2), 22)
  const isOver = rec.status !== "approved" && rec.at < closesAt + publishedMs
  const isLeftOut = seen.answers.some(
    (one) => one.recurrence === recurrence && (one.do === "end" || (one.do === "skip" && namesCycle(one, cycle))),
  )
  return !isOver && !isLeftOut && closesAt + publishedMs < seen.now
}

/** Finds cycles that were neither charged at the bank nor published as missed. */
export const silentlyMissed: Find = (seen) =>
  seen.books.recurrences.flatMap(({ id, issuer, contract, ...recurrence }) => {
    const rec = [...seen.ledger.recs.values()].find((one) => "bankId" in recurrence && recurrence.bankId === one.id)
    if (rec?.approvedAt === undefined || rec.amountCents === undefined) return []
    const told = new Set([
      ...cobrsOf(seen, issuer, contract).map(cycleOf),
      ...missedCycles(seen).flatMap((one) => (one.recurrence === id ? [one.cycle] : [])),
    ])
    const silent: Array<string> = []
    for (let cycle = 1; cycleStart(rec, cycle) <= (rec.endDate ?? dayAt(seen.now)) && cycle < 60; cycle++) {
      if (!told.has(cycle) && mustBeTold(seen, rec, id, cycle)) {
        silent.push(`cycle ${cycle} of ${contract} was neither charged nor published as missed`)
      }
    }
    return silent
  })

/** Finds attempts at debits of cycles that a client knew as skipped, also without money. */
export const debitedThoughSkipped: Find = (seen) =>
  seen.answers.flatMap((answer) => {
    const { isDone, at, recurrence } = answer
    const named = seen.books.recurrences.find(({ id }) => id === recurrence)
    if (answer.do !== "skip" || !isDone || named === undefined || seen.setBacks.some((one) => one.at > at)) return []
    return cobrsOf(seen, named.issuer, named.contract)
      .filter((cobr) => namesCycle(answer, cycleOf(cobr)))
      .flatMap(({ txid, attempts }) =>
        attempts
          .filter(({ on, status }) => on > plusDays(dayAt(at), 1) && status !== "cancelled" && status !== "rejected")
          .map(({ on, status }) => `the attempt of ${on} at ${txid} is ${status}, but its cycle was skipped`),
      )
  })
