/** Faults that the fuzz finds: a text that occurs once in a file of `src`, and its replacement. */
export const faults = [
  {
    breaks: "The store knows a charge by its id alone, for every company.",
    isLong: true,
    edits: [
      {
        file: "MemoryState.ts",
        text: "company: (issuer) => valueAt(companies, issuer, empty)",
        replacement: 'company: () => valueAt(companies, "12345678000195" as Cnpj, empty)',
      },
    ],
    says: /the answer (?:has a word|is about a charge) of another tenant/,
  },
]
