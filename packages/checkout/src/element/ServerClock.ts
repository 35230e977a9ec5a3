/** How far the device's date may drift from its monotonic clock. More means that the device slept, or that its date was set. */
const maxDriftMs = 2000

/**
 * The server's clock, which advances by the device's monotonic one.
 *
 * The device's date may be wrong. It only shows whether time has passed that the monotonic clock missed.
 */
export class ServerClock {
  // Declared alone: fields with values cost browsers' scripts a helper. `set` comes first.
  declare private ahead: number
  declare private drift: number

  /** Sets the clock to what the server says, in epoch milliseconds. */
  set(nowMs: number): void {
    this.ahead = nowMs - performance.now()
    this.drift = Date.now() - performance.now()
  }

  now(): number {
    return performance.now() + this.ahead
  }

  /** Whether the server must give the time again. */
  isStale(): boolean {
    return Math.abs(Date.now() - performance.now() - this.drift) > maxDriftMs
  }
}
