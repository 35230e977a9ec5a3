import type { Actor, Timeline } from "#simulation/World"
import type * as Clock from "effect/Clock"
import { BusinessTime, type TimeSetting } from "./BusinessTime.ts"
import { businessClock } from "./businessClock.ts"

/** Noon in Brasília of Wednesday, 3 June 2026. */
const beginsAt = Date.UTC(2026, 5, 3, 15)
const speed = 60

const wait = (ms: number): Promise<void> => new Promise((resume) => void setTimeout(resume, ms))

/** While nothing happens time leaps, each leap so many times as long as the one before. */
const leapGrowth = 16
const longestLeapMs = 6 * 3_600_000
/** Nothing happens when nothing was told for so long, and nothing is under way. */
const quietRealMs = 30
const lookEveryRealMs = 5
/** Something that is so near is waited for. */
const nearMs = 1_500

/** Business time on the real clock, and what happened. */
export class RealWorld implements Timeline {
  readonly startedAt = beginsAt
  /** What happened, one sentence each, with the seconds since the beginning. */
  readonly history: Array<string> = []
  /** The leap after something happened. */
  firstLeapMs = 1_000
  #leapMs = 1_000
  #toldAt = performance.now()
  readonly #time = new BusinessTime({ startedRealAt: Date.now(), beganAt: beginsAt, speed, leaptMs: 0 })

  readonly clock: Clock.Clock = businessClock(this.#time)

  get now(): number {
    return this.#time.now
  }

  /** What a process needs to have the same time. */
  get time(): TimeSetting {
    return this.#time.setting
  }

  readonly after = (ms: number, happens: () => void): void => void this.#time.after(ms, happens)

  readonly enqueue = (actor: Actor, task: () => void): void => {
    if (actor.isAlive) task()
  }

  readonly note = (actor: string, what: string): void => {
    this.#leapMs = this.firstLeapMs
    this.#toldAt = performance.now()
    if (process.env["DBG"]) console.error(Math.round(performance.now()), (this.now - beginsAt)/1000, actor, what)
    this.history.push(`${((this.now - beginsAt) / 1_000).toFixed(3)} ${actor}: ${what}`)
  }

  /** Lets time pass. Whenever all is quiet it leaps, and `leapt` is told. */
  async pass(ms: number, isBusy: () => boolean, leapt: (ms: number) => void): Promise<void> {
    const until = this.now + ms
    this.#toldAt = performance.now()
    while (this.now < until) {
      await wait(lookEveryRealMs)
      const nextMs = Math.min(until, this.#time.earliest) - this.now
      if (performance.now() < this.#toldAt + quietRealMs || isBusy() || nextMs < nearMs) continue
      const leapMs = Math.floor(Math.min(this.#leapMs, nextMs))
      this.#leapMs = Math.min(leapGrowth * this.#leapMs, longestLeapMs)
      this.#time.leap(leapMs)
      leapt(leapMs)
      this.#toldAt = performance.now()
    }
  }

  /** From now on nothing happens any more. */
  end(): void {
    this.#time.end()
  }
}
