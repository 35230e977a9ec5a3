/** What must hold whatever happens. */
export type Rule =
  /** Every payment and return in the bank's ledger is in the books exactly once, as it is there. */
  | "booksMatchBank"
  /** What went back, and what still may, never exceeds what was paid. */
  | "neverMoreBackThanPaid"
  /** A payment has one refund of ours at the bank that is not rejected. */
  | "oneLiveRefund"
  /** A charge's or exception's state follows from its payments and returns. */
  | "stateFollowsFromMoney"
  /** An event exists if and only if its transition was committed. */
  | "eventForEachTransition"
  /** An event arrives at every receiver, unless it is superseded; and a `paid` never after its `refunded`. */
  | "eventsArrive"
  /** No call, refund, delivery or charge waits for ever. */
  | "nothingWaitsForEver"
  /** Who is told that a charge is paid has its money. */
  | "paidMeansMoney"
  /** The same request gets its first answer, and what it was issued with never changes. */
  | "firstAnswerStands"
  /** Who is answered with a state can read it: it is stored. */
  | "answersAreStored"
  /** A payment or return that a call of the store was told can be read after it, whether a charge moved or not. */
  | "factsAreRecorded"
  /** A charge and an exception move once from each version; a return that is new moves its charge, too. */
  | "oneMoveFromEachVersion"
  /** A payer is asked for what is stored, and for nothing that was taken away. */
  | "bankAsksForTerms"
  /** No call ends by a defect. */
  | "noDefects"

/** A rule that was broken, and how. */
export interface Violation {
  readonly rule: Rule
  readonly what: string
}
