const hour = 3_600_000

/** The steps by which every page can move the clock. */
export const clockSteps = [
  ["10 minutes", hour / 6],
  ["1 hour", hour],
  ["1 day", 24 * hour],
  ["1 week", 168 * hour],
] as const
