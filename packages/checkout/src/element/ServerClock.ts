/** The device's date may jump this far from its running clock by itself: more means that the device slept or was set anew. */
const toleratedMs = 2000

/**
 * The server's clock, carried on by the device's running one: its date may be wrong, and is only asked whether time has
 * passed of which the running clock knows nothing.
 */
export class ServerClock {
  #ahead = 0
  #drift = 0

  /** The server says that it is now so many epoch milliseconds. */
  set(nowMs: number): void {
    this.#ahead = nowMs - performance.now()
    this.#drift = Date.now() - performance.now()
  }

  now(): number {
    return performance.now() + this.#ahead
  }

  /** Whether the server must be asked again what time it is. */
  isStale(): boolean {
    return Math.abs(Date.now() - performance.now() - this.#drift) > toleratedMs
  }
}
