import type { Call } from "./Call.ts"

/**
 * Parts calls into rounds in which no row is named twice, for within one statement none sees what another has done. Calls
 * that meet keep their order. `rowsOf` names the rows that a call is about.
 */
export const inRounds =
  <A, B>(rowsOf: (value: A) => ReadonlyArray<string>) =>
  (calls: ReadonlyArray<Call<A, B>>): ReadonlyArray<ReadonlyArray<Call<A, B>>> => {
    const rounds: Array<Array<Call<A, B>>> = []
    const next = new Map<string, number>()
    for (const call of calls) {
      const rows = rowsOf(call.value)
      const round = Math.max(...rows.map((row) => next.get(row) ?? 0))
      for (const row of rows) next.set(row, round + 1)
      ;(rounds[round] ??= []).push(call)
    }
    return rounds
  }
