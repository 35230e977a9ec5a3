/** Faults of this package that show after a restored backup, or where companies share an account: found by the simulation. */
export const faults = [
  {
    rule: "booksMatchBank",
    defect: "A company records a payment whose txid names another company's charge.",
    file: "charges/payments/findReceivers.ts",
    text: "return isTxidOfAnother(issuer, txid) ? Result.succeed(undefined) : undefined",
    replacement: "return isTxidOfAnother(issuer, txid) && txid === undefined ? Result.succeed(undefined) : undefined",
  },
  {
    rule: "onceForEachKey",
    defect: "After a restore the refund of a charge returns another payment of it, too.",
    file: "charges/rules/settleByAnother.ts",
    text: "if (ours.some(isChargeRefund)) return 0",
    replacement: "if (ours.some(isChargeRefund)) return 1",
  },
  {
    rule: "comparedMeansRecorded",
    defect: "A restored payment is recorded without what went back of it.",
    file: "charges/payments/recordReceivedPayment.ts",
    text: "const after = yield* applySpelled(charge, { payments: [notice], returns: toRecord })",
    replacement:
      "const after = yield* applySpelled(charge, { payments: [notice], returns: known === undefined ? [] : toRecord })",
  },
  {
    rule: "booksMatchBank",
    defect: "A charge that the restored books lack is refused once its due date has passed.",
    file: "charges/issuing/issueCharge.ts",
    text: 'refusal._tag !== "DueDateOutOfRange"',
    replacement: 'refusal._tag !== ""',
  },
  {
    rule: "eventForEachTransition",
    defect: "A refund of a charge that failed is told to nobody.",
    file: "charges/ChargeMoves.ts",
    text: 'const kind = publish ?? (failure === undefined ? news?.kind : "refund-failed")',
    replacement: "const kind = publish ?? news?.kind",
  },
]
