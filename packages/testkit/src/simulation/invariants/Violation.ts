/** What must hold whatever happens. */
export const rules = [
  /** Every payment and return in the bank's ledger is in the books exactly once, as it is there, and no other. */
  "booksMatchBank",
  /** No more is returned than was paid, and no refund begins for more than is left. */
  "neverMoreBackThanPaid",
  /** Of a payment, one refund of ours at most is under way, and what they return together was paid. */
  "oneLiveRefund",
  /** The same key of a partial refund returns money once, and so many cents as were asked for. */
  "onceForEachKey",
  /** The state of a charge or exception follows from its payments and returns. */
  "stateFollowsFromMoney",
  /** An event exists if and only if its transition was committed, says what was paid, and waits unless it is superseded. */
  "eventForEachTransition",
  /** An event arrives at each of its receivers, unless it is superseded, and a `paid` never after its `refunded`. */
  "eventsArrive",
  /** In the end no call, refund, delivery or check waits, and a new charge is served. */
  "nothingWaitsForEver",
  /** Who is told that a charge is paid has its money at the bank. */
  "paidMeansMoney",
  /** The same request gets its first answer, and no other request does. */
  "firstAnswerStands",
  /** Who is answered with a state finds it in the books. */
  "answersAreStored",
  /** A payment or return that a call of the store or an answered notice told of can be read right after it. */
  "factsAreRecorded",
  /** A charge and an exception move once from each version, and a return that is new moves its charge. */
  "oneMoveFromEachVersion",
  /** No settlement counts that began after another claim of its queue. */
  "leasesFence",
  /** The bank asks payers for what is stored, and for nothing that was cancelled. */
  "bankAsksForTerms",
  /** No call and no process ends by a defect. */
  "noDefects",
] as const

/** A rule, by name. */
export type Rule = (typeof rules)[number]

/** A rule that was broken, and how. */
export interface Violation {
  readonly rule: Rule
  readonly what: string
}
