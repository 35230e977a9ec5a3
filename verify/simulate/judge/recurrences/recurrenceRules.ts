export const recurrenceRules = {
  oneAuthorisation: "The bank has one authorisation for each contract.",
  oneDebitEachCycle:
    "No two charges of a cycle are live or paid, none is asked for beside one, and no cycle costs more than its amount.",
  cyclesFollowTerms: "A charge of a fixed amount is due on the first day of its cycle, counted from the start date.",
  chargesAreAuthorised:
    "No charge is asked for before its payer has authorised it, nor once the books know that it is over.",
  windowsAreKept: "A charge is asked for in its window, and a new attempt by 22:00 of the day before.",
  retriesAreOneByOne:
    "At most three new attempts of a charge are asked for, on distinct days, where permitted, and none beside a live one.",
  cancelledIsNotDebited: "What was cancelled, left out or ended, as a client was told, is not debited.",
  cyclesAreCharged: "A cycle of a fixed amount is charged if a process ran in its window for 20 hours.",
  booksFollowBank: "Each payment and return of the bank is in its company's books once, and states follow the bank's.",
  statesAreFinal: "What is over stays over, and nothing becomes approved twice.",
  eventsTellFacts: "Each approval, end, payment and failure is told at least once, and one event id is one fact.",
  nothingIsOpen: "In the end no call, delivery, offer, end or refund waits.",
  noDefects: "No call and no process ends with a defect.",
} as const

export type RecurrenceRule = keyof typeof recurrenceRules
