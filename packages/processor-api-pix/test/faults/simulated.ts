/** Faults of this package that the simulation finds, one for each rule: a text that occurs once in a file of `src`, and another. */
export const faults = [
  {
    rule: "bankIsQuoted",
    defect: "Of the returns of a payment only the first is read.",
    file: "wire/PixBody.ts",
    text: "returns: returns.read,",
    replacement: "returns: returns.read.slice(0, 1),",
  },
]
