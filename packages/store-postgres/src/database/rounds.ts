import type { Call } from "./Call.ts"

/**
 * Splits calls into rounds in which no row is named twice, for within one statement no call sees what another has written. Calls for
 * the same row keep their order. `nameRows` names the rows that a call is about.
 */
export const intoRounds =
  <A, B>(nameRows: (value: A) => ReadonlyArray<string>) =>
  (calls: ReadonlyArray<Call<A, B>>): ReadonlyArray<ReadonlyArray<Call<A, B>>> => {
    const rounds: Array<Array<Call<A, B>>> = []
    const next = new Map<string, number>()
    for (const call of calls) {
      const rows = nameRows(call.value)
      const round = Math.max(...rows.map((row) => next.get(row) ?? 0))
      for (const row of rows) next.set(row, round + 1)
      ;(rounds[round] ??= []).push(call)
    }
    return rounds
  }
