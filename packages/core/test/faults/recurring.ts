/**
 * Planted faults that the simulation of recurrences must find: a text that occurs once in a file of `src`, and its replacement.
 */
export const faults = [
  {
    rule: "oneAuthorisation",
    defect: "An unanswered offer is repeated without a look-up.",
    file: "services/recurrences/recurrenceLife.ts",
    text: "yield* continueOffer(known)",
    replacement: "yield* propose({ company: yield* findCompany(issuer), recurrence: known, isFresh: true })",
  },
  {
    rule: "oneAuthorisation",
    defect: "Two processes continue the same offer.",
    file: "services/recurrences/recurrenceLife.ts",
    text: "now >= updatedAt + offerUnderWayMs && (yield*",
    replacement: "now >= updatedAt && (yield*",
  },
  {
    rule: "oneDebitEachCycle",
    defect: "A charge that the bank doesn't show yet gets another txid.",
    file: "services/recurrences/cycleCharges.ts",
    text: "if (isOpen && !isOver) return yield* registerCharge(charge, true)",
    replacement:
      'if (isOpen && !isOver) return yield* registerCharge({ ...charge, txid: charge.txid.split("").reverse().join("") }, true)',
    seed: 6,
  },
  {
    rule: "cyclesFollowTerms",
    defect: "A cycle is counted from the previous cycle's day.",
    file: "model/cycle/cycles.ts",
    text: ": addMonths(startDate, monthsIn[period] * (cycle - 1))",
    replacement: ": Array.from({ length: cycle - 1 }).reduce((day) => addMonths(day, monthsIn[period]), startDate)",
  },
  {
    rule: "chargesAreAuthorised",
    defect: "An offered recurrence is charged.",
    file: "services/recurrences/requestCycles.ts",
    text: 'if (known._tag !== "Approved") return yield* new Rec',
    replacement: 'if (known._tag === "Ended") return yield* new Rec',
  },
  {
    rule: "chargesAreAuthorised",
    defect: "A notice is believed.",
    file: "services/recurrences/Recurrences.ts",
    text: "if (bankIds.length + chargeIds.length === 0) return",
    replacement: `const { items } = yield* Effect.orDie(store.list(issuer, { state: "Offered" }, { limit: 100 }))
      for (const one of items) {
        if (!("bankId" in one) || !bankIds.includes(one.bankId ?? "")) continue
        const at = yield* Clock.currentTimeMillis
        const next: any = { ...one, _tag: "Approved", approvedAt: at, version: one.version + 1, updatedAt: at }
        yield* store.commit({ issuer, id: one.id, expectedVersion: one.version, next, deliveries: [], checkAt: at })
      }`,
  },
  {
    rule: "windowsAreKept",
    defect: "Cycles missed in an outage are charged later.",
    file: "model/recurrence/CycleCharge.ts",
    text: "schedule !== undefined && now < schedule.closesAt) return schedule",
    replacement: "schedule !== undefined) return schedule",
  },
  {
    rule: "retriesAreOneByOne",
    defect: "A retry is requested while an attempt is live.",
    file: "model/cycle/retries.ts",
    text: 'if (attempts.some(isLiveAttempt) || isAwaited(debit, now)) return "underWay"',
    replacement: "",
  },
  {
    rule: "cancelledIsNotDebited",
    defect: "A charge is cancelled only in the books.",
    file: "services/charges/Cancelling.ts",
    text: "const outcome = end ?? (yield* this.#ports.processor.cancel(charge))",
    replacement: 'const outcome: { _tag: string; view: never } = { _tag: "Cancelled", view: undefined as never }',
  },
  {
    rule: "cyclesAreCharged",
    defect: "An approved recurrence is checked every four weeks.",
    file: "model/recurrence/recurrenceChecks.ts",
    text: 'if (plan._tag === "Wait") return Math.min(plan.until, weekly)',
    replacement: 'if (plan._tag === "Wait") return now + 4 * week',
  },
  {
    rule: "booksFollowBank",
    defect: "A debit's payment is expected in the bank's list.",
    file: "services/recurrences/cycleCharges.ts",
    text: "const after = yield* books.applyView(charge, view)",
    replacement: "const after = yield* books.applyView(charge, { ...view, payments: [] })",
  },
  {
    rule: "retriesAreOneByOne",
    defect: "A planned attempt is announced, but never requested.",
    file: "model/cycle/retries.ts",
    text: "return findRetryObstacle(cycle, debit, now, on) === undefined ? on : undefined",
    replacement: "return undefined",
  },
  {
    rule: "retriesAreOneByOne",
    defect: "Attempts are requested for unplanned days.",
    file: "model/cycle/cycles.ts",
    text: "...(planned && { plannedRetryDays: retryDays.filter((day) => planned.includes(day)) }),",
    replacement: "plannedRetryDays: retryDays,",
  },
  {
    rule: "cancelledIsNotDebited",
    defect: "Of a skipped range, only the first cycle is skipped.",
    file: "model/cycle/CycleRange.ts",
    text: "const range = ranges.find(([from, to]) => cycle >= from && cycle <= to)",
    replacement: "const range = ranges.find(([from]) => cycle === from)",
  },
  {
    rule: "statesAreFinal",
    defect: "An ended recurrence can be ended again.",
    file: "model/recurrence/decideRecurrence.ts",
    text: 'if (recurrence._tag === "Ended") return stay',
    replacement: 'if (recurrence._tag === "Ended" && command._tag !== "RequestEnd") return stay',
  },
  {
    rule: "eventsTellFacts",
    defect: "An approval publishes no event.",
    file: "model/recurrence/decideRecurrence.ts",
    text: 'return { next, publish: "recurrence-approved" as const }',
    replacement: "return { next }",
  },
  {
    rule: "eventsTellFacts",
    defect: "A missed cycle is passed over without an event.",
    file: "services/recurrences/checkRecurrence.ts",
    text: "passCycle(recurrence, cycle, isMissed)))",
    replacement: "passCycle(recurrence, cycle, false)))",
  },
  {
    rule: "nothingIsOpen",
    defect: "An unanswered end is not continued.",
    file: "services/recurrences/recurrenceLife.ts",
    text: "return yield* continueEnd(recurrence)",
    replacement: "return recurrence",
  },
  {
    rule: "noDefects",
    defect: "An impossible retry is a defect.",
    file: "services/recurrences/requestCycles.ts",
    text: 'return yield* refuse(obstacle ?? "tooLate")',
    replacement: 'throw new Error("no new attempt")',
  },
]
