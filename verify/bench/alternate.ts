/**
 * Gives each contender a turn in every round, because a machine's speed drifts within a minute but hardly within a second.
 * Every second round has the reverse order, so a contender doesn't always follow the same one. Returns the results of each
 * contender's rounds. V8 compiles the hot code during the warm-up rounds, whose results are left out.
 */
export const alternate = async <Contender, Result>(
  contenders: ReadonlyArray<Contender>,
  { rounds, warmUp = 0 }: { readonly rounds: number; readonly warmUp?: number },
  takeTurn: (contender: Contender) => Result | Promise<Result>,
): Promise<ReadonlyArray<ReadonlyArray<Result>>> => {
  const turns = contenders.map((contender) => ({ contender, results: Array<Result>() }))
  for (let round = -warmUp; round < rounds; round++) {
    for (const { contender, results } of round % 2 === 0 ? turns : turns.toReversed()) {
      const result = await takeTurn(contender)
      if (round >= 0) results.push(result)
    }
  }
  return turns.map(({ results }) => results)
}
