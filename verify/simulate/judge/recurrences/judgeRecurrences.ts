import { type RecurrenceRule, recurrenceRules } from "./recurrenceRules.ts"
import type { Find, RecurrenceEvidence } from "./RecurrenceEvidence.ts"
import { booksFollowBank, eventsTellFacts, nothingIsOpen, statesAreFinal } from "./bookRules.ts"
import {
  cancelledIsNotDebited,
  chargesAreAuthorised,
  cyclesAreCharged,
  cyclesFollowTerms,
  missedArePublished,
  oneAuthorisation,
  oneDebitEachCycle,
  windowsAreKept,
} from "./bankRules.ts"
import { retriesAreOneByOne } from "./retryRules.ts"

export interface RecurrenceViolation {
  readonly rule: RecurrenceRule
  readonly what: string
}

const finders: Record<RecurrenceRule, Find> = {
  oneAuthorisation,
  oneDebitEachCycle,
  cyclesFollowTerms,
  chargesAreAuthorised,
  windowsAreKept,
  retriesAreOneByOne,
  cancelledIsNotDebited,
  cyclesAreCharged,
  booksFollowBank,
  statesAreFinal,
  eventsTellFacts: (seen) => [...eventsTellFacts(seen), ...missedArePublished(seen)],
  nothingIsOpen,
  noDefects: ({ defects }) => defects,
}

export const judgeRecurrences = (seen: RecurrenceEvidence): ReadonlyArray<RecurrenceViolation> =>
  (Object.keys(recurrenceRules) as ReadonlyArray<RecurrenceRule>).flatMap((rule) =>
    finders[rule](seen).map((what) => ({ rule, what })),
  )
