import { setTimeout as pause } from "node:timers/promises"

/** The pattern of arrivals. */
export interface Arrivals {
  /** Arrivals a second, on average. */
  readonly rate: number
  /** By `performance.now()`: arrivals come from `from` on, before `until`. */
  readonly from: number
  readonly until: number
  /** From 0 to 1; decides the gaps between arrivals, which are those of independent callers. */
  readonly random: () => number
}

/** Waits until a moment of `performance.now()`; returns at once if it has passed. */
export const sleepUntil = async (moment: number): Promise<void> => {
  const leftMs = moment - performance.now()
  if (leftMs > 0) await pause(leftMs)
}

/**
 * Starts something at each arrival, independent of what was started before. The times are fixed in advance: a late
 * start, because of a stall, still gets the moment when the arrival was due, and measures from there.
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
