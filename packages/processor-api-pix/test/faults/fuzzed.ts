/**
 * Faults that the fuzz finds once they are planted in this package. Each replaces a string that occurs once in a file
 * of `src`.
 */
export const faults = [
  {
    breaks: "The content of a bank's notice is logged.",
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
