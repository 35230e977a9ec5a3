import { setTimeout as pause } from "node:timers/promises"

export interface Arrivals {
  /** Average arrivals a second. */
  readonly rate: number
  /** The times between which arrivals come, by `performance.now()`. */
  readonly from: number
  readonly until: number
  /**
   * Returns a number from 0 to 1, which decides the next gap between arrivals. The gaps are like those of independent
   * callers.
   */
  readonly random: () => number
}

/** Waits until this time by `performance.now()`; returns immediately if it has passed. */
export const sleepUntil = async (moment: number): Promise<void> => {
  const leftMs = moment - performance.now()
  if (leftMs > 0) await pause(leftMs)
}

/**
 * Starts work at each arrival without waiting for earlier work. The arrival times are fixed in advance, so work that
 * starts late because of a stall is still measured from the time when it was due.
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
