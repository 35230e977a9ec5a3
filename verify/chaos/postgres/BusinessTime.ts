import { MomentQueue } from "@pixcharge/testkit/simulation"
import type { Leaps } from "./Leaps.ts"

/** How business time runs, the same for all processes: it began at a moment of real time, and runs faster. */
export interface TimeSetting {
  /** When it began, in real epoch milliseconds. */
  readonly startedRealAt: number
  /** What it was then. Epoch milliseconds. */
  readonly beganAt: number
  /** How many times as fast as real time it runs. */
  readonly speed: number
}

interface Moment {
  readonly happens: () => void
  isOver: boolean
}

/** As exact as the machine gives it. */
const realNow = (): number => performance.timeOrigin + performance.now()

/** Business time on the real clock, but faster, and with leaps. */
export class BusinessTime {
  readonly setting: TimeSetting
  readonly #leaps: Leaps
  readonly #moments = new MomentQueue<Moment>()
  #timer: NodeJS.Timeout | undefined

  constructor(setting: TimeSetting, leaps: Leaps) {
    this.setting = setting
    this.#leaps = leaps
  }

  /** Epoch milliseconds. */
  get now(): number {
    const { startedRealAt, beganAt, speed } = this.setting
    return Math.floor(beganAt + (realNow() - startedRealAt) * speed + this.#leaps.ms)
  }

  /** When the next thing happens; infinity when there is none. */
  get earliest(): number {
    while (this.#moments.first?.isOver === true) this.#moments.take()
    return this.#moments.earliest
  }

  /** Has something happen after so many milliseconds of business time; the answer takes that back. */
  after(ms: number, happens: () => void): () => void {
    const moment = { happens, isOver: false }
    this.#moments.add(this.now + ms, moment)
    this.#arm()
    return () => {
      moment.isOver = true
    }
  }

  /** The clock was put forward: what has come due by that happens now. */
  leapt(): void {
    this.#run()
  }

  /** From now on nothing happens any more. */
  end(): void {
    clearTimeout(this.#timer)
    while (this.#moments.take() !== undefined);
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const at = this.earliest
    if (at === Number.POSITIVE_INFINITY) return
    // A timer that is too long fires at once; what lies farther away is looked at again.
    const realMs = Math.min(Math.max((at - this.now) / this.setting.speed, 0), 60_000)
    this.#timer = setTimeout(() => this.#run(), realMs)
  }

  #run(): void {
    const { now } = this
    while (this.earliest <= now) this.#moments.take()?.happens()
    this.#arm()
  }
}
