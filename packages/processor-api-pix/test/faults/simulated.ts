/**
 * Faults that the simulation finds once they are planted in this package, one for each rule. Each replaces a string
 * that occurs once in a file of `src`.
 */
export const faults = [
  {
    rule: "bankIsQuoted",
    defect: "A refund is reported as refused while one of its requests is unanswered.",
    file: "processor/refund.ts",
    text: "if (refusal.hasUnansweredAttempt === true)",
    replacement: "if (false)",
    seed: 318,
  },
]
