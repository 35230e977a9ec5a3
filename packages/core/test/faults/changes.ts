/** Planted faults of changes that the simulation must find. */
export const faults = [
  {
    rule: "stateFollowsFromMoney",
    defect: "The terms of a refused change count for payments.",
    file: "model/charge/TermsRow.ts",
    text: "charge.termsRows?.filter(({ refusedAt }) => refusedAt === undefined) ?? [charge]",
    replacement: "charge.termsRows ?? [charge]",
    seed: 6290,
  },
  {
    rule: "stateFollowsFromMoney",
    defect: "A payment is late by the newest terms alone.",
    file: "model/charge/decideView.ts",
    text: "late: shownToPayers(charge).every(({ payableUntil }) => notice.paidAt > payableUntil),",
    replacement: "late: notice.paidAt > charge.payableUntil,",
    seed: 231,
  },
  {
    rule: "stateFollowsFromMoney",
    defect: "Earlier terms of the bank, which the books have forgotten, aren't read.",
    file: "services/charges/recordTerms.ts",
    text: "if (view.terms?.revision === earlier) terms.push(view.terms)",
    replacement: "if (view.terms?.revision === -1) terms.push(view.terms)",
    seed: 30_300,
  },
  {
    rule: "termsStay",
    defect: "Terms that the books don't know are replaced by the stored ones.",
    file: "model/charge/decideChange.ts",
    text: "if (isExplained(charge, rows, shown)) return countRevision(charge, rows, shown, now)",
    replacement:
      'if (now > 0) return isExplained(charge, rows, shown) ? stay : addRow(charge, { ...pickTerms(charge), by: "issue", requestedAt: now }, now)',
  },
  {
    rule: "termsStay",
    defect: "A check sends the last change again after its end.",
    file: "services/charges/Changing.ts",
    text: 'const requested = seen._tag === "Pending" ? requestedRow(rowsOf(seen)) : undefined',
    replacement: 'const requested = seen._tag === "Pending" ? seen.termsRows?.at(-1) : undefined',
  },
  {
    rule: "refusalsAreTrue",
    defect: "A repeated issue is compared with the terms in force alone.",
    file: "model/charge/Issue.ts",
    text: "isCoded(charge) && (isSameMeaning(charge, request) || isSameMeaning(chargeAtIssue(charge), request))",
    replacement: "isCoded(charge) && isSameMeaning(charge, request)",
    seed: 16,
  },
  {
    rule: "bankAsksForTerms",
    defect: "Terms of the bank that the books have forgotten are ignored.",
    file: "model/charge/decideChange.ts",
    text: "if (isExplained(charge, rows, shown)) return countRevision(charge, rows, shown, now)",
    replacement: "if (now > 0) return stay",
    seed: 50,
  },
]
