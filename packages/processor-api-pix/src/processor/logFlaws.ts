import * as Effect from "effect/Effect"
import type { UnreadableAnswer } from "../wire/Reader.ts"

/** Tells that elements of a bank's list can't be read, and at which fields: never a value, which may be a payer's. */
export const logFlaws = (what: string, flaws: ReadonlyArray<UnreadableAnswer> = []): Effect.Effect<void> => {
  if (flaws.length === 0) return Effect.void
  const fields = [...new Set(flaws.flatMap((flaw) => flaw.fields))]
  return Effect.logError(`The bank's ${what} has ${flaws.length} that can't be read, at ${fields.join(", ")}`)
}
