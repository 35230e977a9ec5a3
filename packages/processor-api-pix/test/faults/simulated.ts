/** Faults of this package that the simulation finds, one for each rule: a text that occurs once in a file of `src`, and another. */
export const faults = [
  {
    rule: "bankIsQuoted",
    defect: "A charge that was paid is read as one that is payable.",
    file: "wire/Cob.ts",
    text: "/^conclu[ií]d[ao]$/i",
    replacement: "/^conclu[ií]do$/i",
    seed: 14,
  },
]
