import { judge, type ViolationOf } from "../rules.ts"
import * as bank from "./bankRules.ts"
import * as books from "./bookRules.ts"
import type { Find, RecurrenceEvidence } from "./RecurrenceEvidence.ts"
import { retriesAreOneByOne } from "./retryRules.ts"

export const recurrenceRules = {
  oneAuthorisation: "The bank has one authorisation for each contract.",
  oneDebitEachCycle:
    "A cycle has at most one live or paid charge, no further charge is requested meanwhile, and the payer never pays more than the cycle's amount.",
  cyclesFollowTerms: "A charge of a fixed amount is due on the first day of its cycle, counted from the start date.",
  chargesAreAuthorised:
    "A charge is requested only after its payer's authorisation and before the books know the recurrence's end.",
  windowsAreKept: "A charge is requested in its window, and a new attempt by 22:00 of the day before.",
  retriesAreOneByOne:
    "A charge has at most three new attempts, on distinct days, only where permitted, and only without a live attempt: on each day of `retryOn` if a process ran for 20 hours before, and on others only if a client requests them.",
  cancelledIsNotDebited: "A recurrence or charge that a client knows as cancelled, skipped or ended is not debited.",
  cyclesAreCharged: "A cycle of a fixed amount is charged if a process ran for 20 hours of its window.",
  booksFollowBank: "Each payment and return of the bank is in its company's books once, and states follow the bank's.",
  statesAreFinal:
    "An ended recurrence stays ended, payments of a charge stay recorded, and an approved recurrence isn't offered again.",
  eventsTellFacts:
    "Each approval, end, payment, failure and missed cycle has at least one event, and one event id stands for one fact.",
  nothingIsOpen: "When a run ends, no call, delivery, offer, end of a recurrence or refund waits.",
  noDefects: "No call and no process ends with a defect.",
} as const

export type RecurrenceRule = keyof typeof recurrenceRules

const finders: Record<RecurrenceRule, Find> = {
  oneAuthorisation: bank.oneAuthorisation,
  oneDebitEachCycle: bank.oneDebitEachCycle,
  cyclesFollowTerms: bank.cyclesFollowTerms,
  chargesAreAuthorised: bank.chargesAreAuthorised,
  windowsAreKept: bank.windowsAreKept,
  retriesAreOneByOne,
  cancelledIsNotDebited: bank.cancelledIsNotDebited,
  cyclesAreCharged: bank.cyclesAreCharged,
  booksFollowBank: books.booksFollowBank,
  statesAreFinal: books.statesAreFinal,
  eventsTellFacts: (seen) => [...books.eventsTellFacts(seen), ...bank.missedArePublished(seen)],
  nothingIsOpen: books.nothingIsOpen,
  noDefects: ({ defects }) => defects,
}

export type RecurrenceViolation = ViolationOf<RecurrenceRule>

export const judgeRecurrences = (seen: RecurrenceEvidence): ReadonlyArray<RecurrenceViolation> => judge(finders, seen)
