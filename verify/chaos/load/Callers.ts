import { setTimeout as sleep } from "node:timers/promises"
import { makeSeededRandom } from "@pixcharge/testkit/simulation"
import type { Calls } from "./Calls.ts"
import { meet } from "./meet.ts"

/** Companies' callers, of whom several meet on each charge. */
export class Callers {
  readonly calls: Calls
  readonly companies: ReadonlyArray<string>
  readonly #seed: number
  #runs: ReadonlyArray<Promise<void>> = []
  #isOver = true

  constructor(calls: Calls, companies: ReadonlyArray<string>, seed: number) {
    this.calls = calls
    this.companies = companies
    this.#seed = seed
  }

  /** Begins so many meetings at once, each about another company's charge as far as there are, and another after each. */
  start(atOnce: number): void {
    this.#isOver = false
    this.#runs = Array.from({ length: atOnce }, (_, at) => this.#meetOften(at))
  }

  /** Ends once the meetings that are under way have. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#runs)
  }

  /** Waits until so many more calls have ended, or attempts failed. */
  async waitForMore(what: "ended" | "failed", count: number): Promise<void> {
    for (const until = this.calls[what] + count; this.calls[what] < until && !this.#isOver;) await sleep(10)
  }

  async #meetOften(at: number): Promise<void> {
    const random = makeSeededRandom(this.#seed * 1_000 + at)
    const issuer = this.companies[at % this.companies.length] as string
    while (!this.#isOver) {
      await meet(this.calls, issuer, random).catch((error: unknown) =>
        this.calls.surprises.push(`surprise: ${String(error)}`),
      )
    }
  }
}
