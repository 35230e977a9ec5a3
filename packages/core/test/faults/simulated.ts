/**
 * Planted faults that the simulation must find, one for each rule: a text that occurs once in a file of `src`, and its
 * replacement.
 */
export const faults = [
  {
    rule: "booksMatchBank",
    defect: "No company is ever swept.",
    file: "services/reconcile/sweep.ts",
    text: "return yield* reconciliations.claim({ now, leaseMs })",
    replacement: "return undefined",
  },
  {
    rule: "neverMoreBackThanPaid",
    defect: "A partly returned payment is refunded in full.",
    file: "model/charge/decideRefund.ts",
    text: "if (back + amountCents > payment.amountCents)",
    replacement: "if (back > payment.amountCents)",
    seed: 43,
  },
  {
    rule: "oneLiveRefund",
    defect: "A partial refund begins while another one is under way.",
    file: "model/charge/decidePartialRefund.ts",
    text: "if (open !== undefined && open.key !== key) {",
    replacement: "if (open !== undefined && open.key === key && open.rejection === key) {",
    seed: 12,
  },
  {
    rule: "onceForEachKey",
    defect: "All partial refunds of a payment have the ids of one key.",
    file: "model/charge/decidePartialRefund.ts",
    text: "attemptId: (attempt) => partialRefundId(charge.payment, key, attempt),",
    replacement: 'attemptId: (attempt) => partialRefundId(charge.payment, "", attempt),',
  },
  {
    rule: "refundsFollowRequests",
    defect: "A payment can be refunded at any age.",
    file: "model/charge/decideRefund.ts",
    text: "if (now > closedAt)",
    replacement: "if (now > 2 * closedAt)",
    seed: 471,
  },
  {
    rule: "stateFollowsFromMoney",
    defect: "A further payment replaces the settling payment.",
    file: "model/charge/decide.ts",
    text: 'if (charge._tag === "Pending") {',
    replacement: 'if (charge._tag === "Pending" || charge._tag === "Paid") {',
    seed: 20,
  },
  {
    rule: "eventsArrive",
    defect: "A refused delivery is settled as delivered.",
    file: "services/events/attempt.ts",
    text: 'if (outcome._tag === "Delivered") return { _tag: "Delivered" }',
    replacement: 'if (outcome._tag === "Delivered" || random >= 0) return { _tag: "Delivered" }',
    seed: 22,
  },
  {
    rule: "eventsKeepTheirTime",
    defect: "Every attempt follows as quickly as the second.",
    file: "services/events/attempt.ts",
    text: "const delay = delaysMs[attempt - 1]",
    replacement: "const delay = attempt > delaysMs.length ? undefined : delaysMs[0]",
    seed: 105,
  },
  {
    rule: "paidMeansMoney",
    defect: "A waiting charge is reported as paid.",
    file: "services/charges/PixCharges.ts",
    text: "(issuer, id: ChargeId) => moves.load({ issuer, id })",
    replacement: `(issuer, id: ChargeId) =>
        Effect.map(moves.load({ issuer, id }), (charge) =>
          charge._tag === "Pending" ? ({ ...charge, _tag: "Paid", payment: { ...charge, endToEndId: "none" } } as never) : charge,
        )`,
    seed: 10,
  },
  {
    rule: "firstAnswerStands",
    defect: "A request for another amount under a known id returns the known charge.",
    file: "model/charge/Issue.ts",
    text: "areSame(contractTerms, known, request) &&",
    replacement: "areSame(contractTerms, { ...known, amountCents: request.amountCents }, request) &&",
    seed: 168,
  },
  {
    rule: "answersAreStored",
    defect: "A charge is returned before it is stored.",
    file: "services/charges/Issuing.ts",
    text: "const insertion = yield* store.insert(charge)",
    replacement: `yield* Effect.forkDetach(store.insert(charge))
    const insertion = { _tag: "Inserted" as const, charge }`,
  },
  {
    rule: "comparedMeansRecorded",
    defect: "A list with payments that can't be read counts as complete.",
    file: "services/reconcile/recordPage.ts",
    text: "failed > 0 || unreadable > 0",
    replacement: "failed > unreadable",
  },
  {
    rule: "checksKeepTheirTime",
    defect: "A partial refund under way has no next check.",
    file: "model/charge/decidePartialRefund.ts",
    text: "return { ...stay, next: { ...paid, ...(checkAt !== undefined && { checkAt }) }, returns, partialRefund }",
    replacement: "return { ...stay, next: paid, returns, partialRefund }",
  },
  {
    rule: "refusalsAreFinal",
    defect: "A refusal ends a refund while another call is under way.",
    file: "model/charge/decideRefund.ts",
    text: "return refused.hasLooked && isRefusalFinal(rest, now)",
    replacement: "return refused.hasLooked",
    seed: 13,
  },
  {
    rule: "refusalsAreTrue",
    defect: "A refund of the whole payment is refused as more than the rest.",
    file: "model/charge/decideRefund.ts",
    text: "if (back + amountCents > payment.amountCents)",
    replacement: "if (back + amountCents >= payment.amountCents)",
  },
  {
    rule: "bankAsksForTerms",
    defect: "A charge removed at the bank stays pending.",
    file: "services/reconcile/checks.ts",
    text: 'if (status === "removed") return "bank"',
    replacement: "",
    seed: 102,
  },
  {
    rule: "termsStay",
    defect: "A change is stored only after the bank was asked for it.",
    file: "services/charges/Changing.ts",
    text: "const audit = yield* ifNamed(",
    replacement: `const early = (yield* Effect.fromResult(request(charge, yield* Clock.currentTimeMillis, revision))).next
    if (early !== undefined) yield* this.#send(early, rowsOf(early).at(-1) as TermsRow)
    const audit = yield* ifNamed(`,
  },
  {
    rule: "noDefects",
    defect: "Refunding a cancelled charge is a defect.",
    file: "model/charge/decide.ts",
    text: 'if (command._tag !== "RequestRefund") return Result.succeed(stay)',
    replacement: `if (command._tag !== "RequestRefund") return Result.succeed(stay)
  if (charge._tag === "Cancelled") throw new Error("a cancelled charge has no payment")`,
    seed: 74,
  },
]
