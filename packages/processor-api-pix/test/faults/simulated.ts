/**
 * Faults that the simulation finds once they are planted in this package, one for each rule. Each replaces a string
 * that occurs once in a file of `src`.
 */
export const faults = [
  {
    rule: "bankIsQuoted",
    defect: "A paid charge is read as a payable charge.",
    file: "wire/Cob.ts",
    text: "/^conclu[ií]d[ao]$/i",
    replacement: "/^conclu[ií]do$/i",
    seed: 14,
  },
]
