export const rules = {
  booksMatchBank:
    "A company's books have every payment and return of the bank's ledger once, unchanged, and no further entries.",
  neverMoreBackThanPaid: "Returns never exceed the payment, and no refund begins for more than the refundable amount.",
  oneLiveRefund:
    "Each payment has at most one refund of ours under way, and its refunds together return at most the payment.",
  onceForEachKey: "A refund of a charge, whole or by key, returns the requested cents once, from one of its payments.",
  refundsFollowRequests:
    "A client of the company that holds the payment's key requested each refund in time, and the refund's id follows from the payment.",
  stateFollowsFromMoney:
    "The state of a charge or exception and the time of its refund follow from its payments and returns.",
  eventForEachTransition:
    "Each committed transition, failed refund and expiry that a look-up has shown has one event at each endpoint that chose its kind, a part's after any full refund under way, and no others exist. It states its facts, and waits unless superseded.",
  eventsArrive:
    "An event arrives at each of its receivers unless it is superseded, a charge's events first arrive in their order, and a `paid` never arrives after its `refunded`.",
  eventsKeepTheirTime:
    "An attempt comes at its turn and is recorded once, a charge's events come one by one, no `paid` comes once its refund has begun, and without faults an event is sent within two seconds of its commit.",
  nothingWaitsForEver: "At the end no call, refund, delivery or check waits, and a new charge is served.",
  paidMeansMoney: "A charge that is reported as paid has its money at the bank.",
  firstAnswerStands: "A repeated request gets the first request's answer, and a different request doesn't get it.",
  answersAreStored: "A reported state is in the books, and a search for a reference finds its charges.",
  factsAreRecorded: "A payment or return in a store call or an accepted notice can be read right after it.",
  bankIsQuoted: "A processor's answer is true at the bank, or was at the time of the call.",
  comparedMeansRecorded:
    "A process that has compared a period with the bank's list has read the whole list, and the books and their states reflect it.",
  oneMoveFromEachVersion:
    "Charges and exceptions move once from each version to the next, and a new return moves its owner.",
  leasesFence: "A lease has one holder at a time, and after losing it a process can't settle or send events.",
  checksKeepTheirTime:
    "Charges and refunds that wait for the bank are checked there in time, a payment without a notice is found in time, and a process schedules a check only if it knows the latest writes.",
  refusalsAreFinal:
    "A refund call is stored before it is made, and a refusal counts only once it is reported and no call can still take effect.",
  refusalsAreTrue: "A refusal has its reason in the books, and the store is blamed only for real failures.",
  bankAsksForTerms:
    "The bank's charges have the requested and stored terms, cancelled charges aren't payable, and charges of another company's key aren't adopted or cancelled.",
  termsStay:
    "A change's terms are stored before the bank is asked, numbered, and never overwritten. A key is one change, which is answered as done only if the bank had its terms, and no process sends terms that it knows to be over.",
  noDefects: "No call and no process ends with a defect.",
} as const

export type Rule = keyof typeof rules

export interface ViolationOf<R> {
  readonly rule: R
  readonly what: string
}

export type Violation = ViolationOf<Rule>

/** Each rule's violations; empty if it holds. */
export type Rules<Seen, R extends string = Rule> = Partial<Record<R, (seen: Seen) => ReadonlyArray<string>>>

export const broken = <R extends string>(rule: R, found: ReadonlyArray<string>): ReadonlyArray<ViolationOf<R>> =>
  found.map((what) => ({ rule, what }))

export const judge = <Seen, R extends string>(by: Rules<Seen, R>, seen: Seen): ReadonlyArray<ViolationOf<R>> =>
  Object.entries<((seen: Seen) => ReadonlyArray<string>) | undefined>(by).flatMap(([rule, find]) =>
    broken(rule as R, find?.(seen) ?? []),
  )

export const reportIf = (isSo: boolean | undefined, what: string): ReadonlyArray<string> =>
  isSo === true ? [what] : []
