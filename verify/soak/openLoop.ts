import { setTimeout as pause } from "node:timers/promises"

export interface Arrivals {
  /** Average arrivals a second. */
  readonly rate: number
  /** By `performance.now()`: arrivals come from `from` on, before `until`. */
  readonly from: number
  readonly until: number
  /** From 0 to 1. Decides the gaps between arrivals, like those of independent callers. */
  readonly random: () => number
}

/** Waits until a moment of `performance.now()`; returns immediately if it has passed. */
export const sleepUntil = async (moment: number): Promise<void> => {
  const leftMs = moment - performance.now()
  if (leftMs > 0) await pause(leftMs)
}

/**
 * Starts work at each arrival, independent of earlier work. The moments are fixed in advance: a start delayed by a stall still
 * measures from its due moment.
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
