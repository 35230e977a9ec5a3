/** Faults of this package that show after a restored backup, or where companies share an account: found by the simulation. */
export const faults = [
  {
    rule: "comparedMeansRecorded",
    defect: "A payment whose txid names another company's charge counts as the company's that asks.",
    file: "charges/payments/findReceivers.ts",
    text: "return isTxidOfAnother(issuer, txid) ? Result.succeed(undefined) : undefined",
    replacement: "return isTxidOfAnother(issuer, txid) && txid === undefined ? Result.succeed(undefined) : undefined",
    seed: 9_000_143,
  },
  {
    rule: "booksMatchBank",
    defect: "A charge that the restored books lack is refused once its due date has passed.",
    file: "charges/issuing/issueCharge.ts",
    text: 'refusal._tag !== "DueDateOutOfRange"',
    replacement: 'refusal._tag !== ""',
    seed: 9_000_301,
  },
  {
    rule: "eventForEachTransition",
    defect: "A refund of a charge that failed is told to nobody.",
    file: "charges/ChargeMoves.ts",
    text: 'const kind = publish ?? (failure === undefined ? news?.kind : "refund-failed")',
    replacement: "const kind = publish ?? news?.kind",
  },
]
