/** The rules by name. */
export const rules = {
  booksMatchBank:
    "Every payment and return in the bank's ledger is in its company's books once, as it is there, and no other.",
  neverMoreBackThanPaid: "No more is returned than was paid, and no refund begins for more than is left.",
  oneLiveRefund:
    "Of each payment at most one refund of ours is under way, and together they return at most what was paid.",
  onceForEachKey:
    "The same refund of a charge, whole or by key, returns money once, of one of its payments, and the requested cents.",
  refundsFollowRequests:
    "A client of the payment's company, which has its key, requested each refund in time, and its id follows from its payment.",
  stateFollowsFromMoney: "The state of a charge or exception follows from its payments and returns.",
  eventForEachTransition:
    "An event exists if and only if its transition was committed or its refund failed, says what was paid, and waits unless it is superseded.",
  eventsArrive:
    "An event arrives at each of its receivers, unless it is superseded, and a `paid` never after its `refunded`.",
  eventsKeepTheirTime:
    "An attempt comes at its turn, the events of a charge one by one, and no `paid` once its refund has begun.",
  nothingWaitsForEver: "In the end no call, refund, delivery or check waits, and a new charge is served.",
  paidMeansMoney: "A charge that is reported as paid has its money at the bank.",
  firstAnswerStands: "The same request gets its first answer, and no other request does.",
  answersAreStored: "A reported state is in the books.",
  factsAreRecorded: "A payment or return in a store call or an accepted notice can be read right after it.",
  bankIsQuoted: "A processor's answer is true at the bank, or was at the time of the call.",
  comparedMeansRecorded:
    "What a process has compared with the bank's list is in the books and their states, and it has read the whole list.",
  oneMoveFromEachVersion:
    "Charges and exceptions move once from each version to the next, and a new return raises its owner's version.",
  leasesFence:
    "Nothing is leased to two processes at once, and under a lost lease nothing counts and no event is sent.",
  checksKeepTheirTime:
    "What waits for the bank is checked there in time, and no process schedules a check without knowing what others wrote.",
  refusalsAreFinal:
    "A refund call is stored before it is made, and a refusal counts only once it is reported and no call can be carried out.",
  refusalsAreTrue: "A refusal has its reason in the books, and the store is blamed only for real failures.",
  bankAsksForTerms:
    "The bank's charges have the stored terms, cancelled ones are not payable, and none of another company's key is adopted or cancelled.",
  noDefects: "No call and no process ends with a defect.",
} as const

/** A rule, by name. */
export type Rule = keyof typeof rules

/** A broken rule, and how. */
export interface Violation {
  readonly rule: Rule
  readonly what: string
}

/** For each rule, what is wrong; empty if it holds. */
export type Rules<Seen> = Partial<Record<Rule, (seen: Seen) => ReadonlyArray<string>>>

/** Finds what is wrong by these rules. */
export const judge = <Seen>(by: Rules<Seen>, seen: Seen): ReadonlyArray<Violation> =>
  Object.entries(by).flatMap(([rule, find]) => find(seen).map((what) => ({ rule: rule as Rule, what })))

/** Reports something if it is so. */
export const reportIf = (isSo: boolean | undefined, what: string): ReadonlyArray<string> =>
  isSo === true ? [what] : []
