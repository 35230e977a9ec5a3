/** The rules by name. */
export const rules = {
  booksMatchBank:
    "Every payment and return in the bank's ledger is in the books exactly once, as it is there, and no other.",
  neverMoreBackThanPaid: "No more is returned than was paid, and no refund begins for more than is left.",
  oneLiveRefund: "Of a payment, one refund of ours at most is under way, and what they return together was paid.",
  onceForEachKey: "The same key of a partial refund returns money once, and so many cents as were asked for.",
  refundsFollowRequests: "A refund is one that somebody asked for in time, under an id that follows from its payment.",
  stateFollowsFromMoney: "The state of a charge or exception follows from its payments and returns.",
  eventForEachTransition:
    "An event exists if and only if its transition was committed, says what was paid, and waits unless it is superseded.",
  eventsArrive:
    "An event arrives at each of its receivers, unless it is superseded, and a `paid` never after its `refunded`.",
  eventsKeepTheirTime:
    "An attempt comes at its turn, the events of a charge one by one, and a `paid` no more once its money goes back.",
  nothingWaitsForEver: "In the end no call, refund, delivery or check waits, and a new charge is served.",
  paidMeansMoney: "Who is told that a charge is paid has its money at the bank.",
  firstAnswerStands: "The same request gets its first answer, and no other request does.",
  answersAreStored: "Who is answered with a state finds it in the books.",
  factsAreRecorded:
    "A payment or return that a call of the store or an answered notice told of can be read right after it.",
  bankIsQuoted: "What a processor says of the bank is so there, or was when it asked.",
  comparedMeansRecorded:
    "What a process says that it has compared with the bank's list is in the books and in their states, and it has read that list as a whole.",
  oneMoveFromEachVersion:
    "A charge and an exception move once from each version, to the next, and a return that is new moves its owner.",
  leasesFence: "Nothing is leased to two at once, and under a lease that was lost nothing counts and no event is sent.",
  checksKeepTheirTime:
    "What waits for the bank is checked in time, by asking it, and no check is set by who doesn't know what others wrote.",
  refusalsAreFinal:
    "A call for a refund is stored before it is made, a refusal counts once no call can be carried out, and is told first.",
  refusalsAreTrue:
    "Who is refused something finds the reason in the books; the store is said to fail only where it does.",
  bankAsksForTerms: "The bank asks payers for what is stored, and for nothing that was cancelled.",
  noDefects: "No call and no process ends by a defect.",
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
