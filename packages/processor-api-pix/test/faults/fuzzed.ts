/** Faults of this package that the fuzz finds: a text that occurs once in a file of `src`, and another. */
export const faults = [
  {
    breaks: "What a bank sends is logged.",
    isLong: true,
    edits: [
      {
        file: "notices/ApiPixNotices.ts",
        text: "const read = readNotice(notice)",
        replacement: "const read = readNotice(notice)\n    yield* Effect.logInfo(notice)",
      },
    ],
    says: /^a canary was written to a log: /,
  },
]
