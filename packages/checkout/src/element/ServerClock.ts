/** A larger drift means that the device slept or that someone set its date. */
const maxDriftMs = 2000

/**
 * The server's clock, advanced by the device's monotonic clock.
 *
 * The device's date can be wrong, so it only serves to notice that the monotonic clock stopped during sleep.
 */
export class ServerClock {
  // `declare`, because the compiler adds a helper for initialised fields.
  declare private ahead: number
  declare private drift: number

  set(nowMs: number): void {
    this.ahead = nowMs - performance.now()
    this.drift = Date.now() - performance.now()
  }

  now(): number {
    return performance.now() + this.ahead
  }

  isStale(): boolean {
    return Math.abs(Date.now() - performance.now() - this.drift) > maxDriftMs
  }
}
