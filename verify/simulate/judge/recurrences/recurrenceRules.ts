export const recurrenceRules = {
  oneAuthorisation: "The bank has one authorisation for each contract.",
  oneDebitEachCycle:
    "A cycle has at most one live or paid charge, none is requested beside it, and no cycle costs more than its amount.",
  cyclesFollowTerms: "A charge of a fixed amount is due on the first day of its cycle, counted from the start date.",
  chargesAreAuthorised:
    "A charge is requested only after its payer's authorisation and before the books know the recurrence's end.",
  windowsAreKept: "A charge is requested in its window, and a new attempt by 22:00 of the day before.",
  retriesAreOneByOne:
    "A charge has at most three new attempts, on distinct days, only where permitted, and only without a live attempt.",
  cancelledIsNotDebited: "A recurrence or charge that a client knows as cancelled, skipped or ended is not debited.",
  cyclesAreCharged: "A cycle of a fixed amount is charged if a process ran in its window for 20 hours.",
  booksFollowBank: "Each payment and return of the bank is in its company's books once, and states follow the bank's.",
  statesAreFinal:
    "An ended recurrence stays ended, money of a charge stays recorded, and an approved recurrence isn't offered again.",
  eventsTellFacts: "Each approval, end, payment and failure has an event at least once, and one event id is one fact.",
  nothingIsOpen: "At the end no call, delivery, offer, end or refund waits.",
  noDefects: "No call and no process ends with a defect.",
} as const

export type RecurrenceRule = keyof typeof recurrenceRules
