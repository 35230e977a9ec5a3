import { type Actor, beginsAt, leapGrowth, longestLeapMs, type Timeline } from "@pixcharge/testkit/simulation"
import type * as Clock from "effect/Clock"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BusinessTime, type TimeSetting } from "./BusinessTime.ts"
import { businessClock } from "./businessClock.ts"
import { Leaps } from "./Leaps.ts"
import { wait } from "./wait.ts"

/** Slow enough for a busy machine: most of the time passes by leaps. */
const speed = 10

const lookEveryRealMs = 2

/** Business time on the real clock, and what happened. */
export class RealWorld implements Timeline {
  readonly startedAt = beginsAt
  /** What happened, one sentence each, with the seconds since the beginning. */
  readonly history: Array<string> = []
  /** The leap after something happened. */
  firstLeapMs = 1_000
  #leapMs = 1_000
  readonly #folder = mkdtempSync(join(tmpdir(), "pixcharge-world-"))
  /** The file that says by how much time has leapt. */
  readonly leapsFile = join(this.#folder, "leaps")
  readonly #leaps = Leaps.make(this.leapsFile)
  readonly #time = new BusinessTime({ startedRealAt: Date.now(), beganAt: beginsAt, speed }, this.#leaps)

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
    this.history.push(`${((this.now - beginsAt) / 1_000).toFixed(3)} ${actor}: ${what}`)
  }

  /** Lets time pass. Whenever all only wait for it to pass it leaps, and `leapt` is told. */
  async pass(ms: number, isQuiet: () => Promise<boolean>, leapt: (ms: number) => Promise<void>): Promise<void> {
    const until = this.now + ms
    while (this.now < until) {
      await wait(lookEveryRealMs)
      const told = this.history.length
      if (!(await isQuiet()) || this.history.length > told) continue
      const leapMs = Math.floor(Math.min(this.#leapMs, until - this.now, this.#time.earliest - this.now))
      if (leapMs <= 0) continue
      this.#leapMs = Math.min(leapGrowth * this.#leapMs, longestLeapMs)
      this.#leaps.add(leapMs)
      this.#time.leapt()
      await leapt(leapMs)
    }
  }

  /** From now on nothing happens any more. */
  end(): void {
    this.#time.end()
    this.#leaps.close()
    rmSync(this.#folder, { recursive: true })
  }
}
