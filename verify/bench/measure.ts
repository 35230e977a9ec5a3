/** Work that is the same each time. It returns a number, so V8 can't remove the work. */
export type Batch = () => number

const warmUpRounds = 5
const rounds = 41

const batchNanoseconds = (batch: Batch, sink: Array<number>): number => {
  const start = process.hrtime.bigint()
  sink[0] = (sink[0] ?? 0) + batch()
  return Number(process.hrtime.bigint() - start)
}

/**
 * The nanoseconds per operation of each batch in each round. Every round runs every batch and starts with a different
 * one, so load and clock rate affect all of them. Batches should take at least a millisecond.
 */
export const measure = (batches: ReadonlyArray<Batch>, operations: number): ReadonlyArray<ReadonlyArray<number>> => {
  const times: ReadonlyArray<Array<number>> = batches.map(() => [])
  const sink: Array<number> = []
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (let turn = 0; turn < batches.length; turn++) {
      const at = (turn + round + warmUpRounds) % batches.length
      const batch = batches[at]
      if (batch === undefined) continue
      const time = batchNanoseconds(batch, sink)
      if (round >= 0) times[at]?.push(time / operations)
    }
  }
  return times
}
