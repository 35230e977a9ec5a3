import type { PostgresSimulated } from "./simulatePostgres.ts"

/** A history that broke a rule, for a person to read. */
export const describeHistory = (seed: number, { violations, incidents, history }: PostgresSimulated): string =>
  [
    `Seed ${seed} breaks ${violations.map(({ rule }) => rule).join(", ")} on Postgres.`,
    ...violations.map(({ rule, what }) => `${rule}: ${what}`),
    "No two histories of a seed are the same, for processes and the database run in real time.",
    `Another try: pnpm simulate --postgres --seeds 1 --from ${seed}`,
    `This went wrong: ${[...incidents].join("; ") || "nothing"}.`,
    "What happened, by the second:",
    ...history.map((line) => `  ${line}`),
  ].join("\n")
