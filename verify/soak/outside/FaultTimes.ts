/** So long after a fault its consequences may still be seen: retries, connections that are made anew, a breaker's rest. */
const aftermathMs = 15_000

/** When there were faults, so that what they touched is told apart. Moments are `performance.now()`. */
export class FaultTimes {
  #underWay = 0
  #endedAt = Number.NEGATIVE_INFINITY

  begin(): void {
    this.#underWay += 1
  }

  end(): void {
    this.#underWay -= 1
    this.#endedAt = performance.now()
  }

  /** Whether there was no fault between this moment and now, nor shortly before. */
  isCalmSince(moment: number): boolean {
    return this.#underWay === 0 && this.#endedAt + aftermathMs < moment
  }
}
