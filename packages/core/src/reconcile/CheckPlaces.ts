import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Cnpj } from "../party/Cnpj.ts"
import type { CompanyLimits } from "./CompanyLimits.ts"

const firstAtOnce = 8
/** How long a claim waits for a quarter of the places to be free, before it makes do with fewer. */
const maxWaitMs = 1_000

/** The places for checks under way: eight at first, eight more after each claim that fills them, `maxAtOnce` in the end. */
export class CheckPlaces {
  readonly #limits: CompanyLimits
  readonly #maxAtOnce: number
  #atOnce = firstAtOnce
  /** Open while a quarter of the places is free. */
  readonly #room = Latch.makeUnsafe(true)
  /** Ends when a quarter of the places is free, or after a second. */
  readonly awaitRoom: Effect.Effect<unknown> = Effect.timeoutOption(this.#room.await, maxWaitMs)

  constructor(limits: CompanyLimits, maxAtOnce: number) {
    this.#limits = limits
    this.#maxAtOnce = maxAtOnce
  }

  get freeCount(): number {
    return Math.max(this.#atOnce - this.#limits.underWay, 0)
  }

  /** Takes a place for a check of the company, if one may be begun. */
  begin(issuer: Cnpj, now: number): boolean {
    return this.#limits.begin(issuer, now)
  }

  end(issuer: Cnpj): void {
    this.#limits.end(issuer)
    this.update()
  }

  grow(): void {
    this.#atOnce = Math.min(this.#maxAtOnce, this.#atOnce + firstAtOnce)
  }

  /** After checks have begun. */
  update(): void {
    if (this.#limits.underWay > (this.#atOnce * 3) / 4) this.#room.closeUnsafe()
    else this.#room.openUnsafe()
  }
}
