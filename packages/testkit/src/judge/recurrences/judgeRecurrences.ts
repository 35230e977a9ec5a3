import { type RecurrenceRule, recurrenceRules } from "./recurrenceRules.ts"
import type { RecurrenceEvidence } from "./RecurrenceEvidence.ts"
import { booksFollowBank, eventsTellFacts, nothingIsOpen, statesAreFinal } from "./bookRules.ts"
import { chargesFollowCycles, cyclesAreCharged, onlyOnce, ordersKeepRules, whatIsCancelled } from "./bankRules.ts"

/** A broken rule, and how. */
export interface RecurrenceViolation {
  readonly rule: RecurrenceRule
  readonly what: string
}

type Find = (seen: RecurrenceEvidence) => ReadonlyArray<string>

const finders: Record<RecurrenceRule, Find> = {
  oneAuthorisation: onlyOnce.authorisations,
  oneDebitEachCycle: onlyOnce.debits,
  cyclesFollowTerms: chargesFollowCycles,
  chargesAreAuthorised: ordersKeepRules.authorised,
  windowsAreKept: ordersKeepRules.windows,
  retriesAreOneByOne: ordersKeepRules.retries,
  cancelledIsNotDebited: whatIsCancelled,
  cyclesAreCharged,
  booksFollowBank,
  statesAreFinal,
  eventsTellFacts,
  nothingIsOpen,
  noDefects: ({ defects }) => defects,
}

/** Finds what is wrong with a run. */
export const judgeRecurrences = (seen: RecurrenceEvidence): ReadonlyArray<RecurrenceViolation> =>
  (Object.keys(recurrenceRules) as ReadonlyArray<RecurrenceRule>).flatMap((rule) =>
    finders[rule](seen).map((what) => ({ rule, what })),
  )
