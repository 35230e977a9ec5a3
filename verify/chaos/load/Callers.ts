import { setTimeout as sleep } from "node:timers/promises"
import { makeSeededRandom } from "@pixcharge/adapter-tests/fixtures"
import type { Calls } from "./Calls.ts"
import { meet } from "./meet.ts"

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

  /**
   * Starts `atOnce` sequences. Each sequence handles one charge after another, and two sequences have different
   * companies if there are enough.
   */
  start(atOnce: number): void {
    this.#isOver = false
    this.#runs = Array.from({ length: atOnce }, (_, index) => this.#meetOften(index))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#runs)
  }

  /** Stops without waiting for answers. */
  async abandon(): Promise<void> {
    this.calls.isAbandoned = true
    await this.stop()
  }

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
