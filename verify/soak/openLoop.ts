import { setTimeout as pause } from "node:timers/promises"

/** When arrivals come. */
export interface Arrivals {
  /** How many a second, on average. */
  readonly rate: number
  /** By the clock of `performance.now()`: the first may come from here on, and none from there on. */
  readonly from: number
  readonly until: number
  /** From 0 to 1; decides the gaps between two arrivals, which are those of independent callers. */
  readonly random: () => number
}

/** Waits until a moment of `performance.now()`; not at all if that has passed. */
export const sleepUntil = async (moment: number): Promise<void> => {
  const leftMs = moment - performance.now()
  if (leftMs > 0) await pause(leftMs)
}

/**
 * Begins something at each arrival, whatever became of what was begun before. Moments are fixed before anything is begun: who
 * is asked late, because somebody stood still, is still told the moment at which the arrival was due, and counts from there.
 */
export const openLoop = async (
  { rate, from, until: end, random }: Arrivals,
  begin: (dueAt: number) => void,
): Promise<void> => {
  let dueAt = from
  for (;;) {
    dueAt += (-Math.log(1 - random()) * 1_000) / rate
    if (dueAt >= end) return
    await sleepUntil(dueAt)
    begin(dueAt)
  }
}
