import { StoreUnavailable } from "@pixcharge/core"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Finder } from "./Finder.ts"
import type { AnyFound, Found, WatchedCharge, WatchedCharges } from "./WatchedCharges.ts"

/** How many companies are looked up at once after a look-up of all failed. The other connections are for other calls. */
const maxCompaniesAtOnce = 8

/** Fails the look-ups of a hub that has ended. */
export const closed = Effect.fail(new StoreUnavailable({ operation: "changed", cause: "the checkout has ended" }))

type Charges<F extends AnyFound> = ReadonlyArray<WatchedCharge<F>>

/** Takes the outcome of a look-up, with the charges that it was for. */
export type OnAnswer<F extends AnyFound> = (charges: Charges<F>, exit: Exit.Exit<void, StoreUnavailable>) => void

/**
 * Looks up watched charges, and sends what has changed to their pages.
 *
 * One call looks up the charges of all companies. If it fails, each company is looked up by itself, because a store in shards may
 * fail for some companies alone. These no longer share a call with the others until they answer.
 */
export class LookUps<F extends AnyFound = Found> {
  readonly #finder: Finder<F>
  readonly #watched: WatchedCharges<F>
  /** The companies whose last look-up failed, the earliest failure first. */
  readonly #failing = new Set<string>()

  constructor(finder: Finder<F>, watched: WatchedCharges<F>) {
    this.#finder = finder
    this.#watched = watched
  }

  /** Looks up charges; `onAnswer` is called for each of them once. */
  lookUp(charges: Charges<F>, now: number, onAnswer: OnAnswer<F>): Effect.Effect<void> {
    const companies = new Map(Object.entries(Arr.groupBy(charges, ({ place }) => place.issuer)))
    const failing = [...this.#failing].flatMap((company) => {
      const its = companies.get(company)
      companies.delete(company)
      return its === undefined ? [] : [its]
    })
    const groups = [[...companies.values()], failing]
    return Effect.forEach(groups, (group) => this.#lookUpTogetherOrApart(group, now, onAnswer), { discard: true })
  }

  readonly #lookUpTogetherOrApart = Effect.fnUntraced(
    { self: this },
    function* (this: LookUps<F>, companies: ReadonlyArray<Charges<F>>, now: number, onAnswer: OnAnswer<F>) {
      if (companies.length > 1) {
        const all = companies.flat()
        const exit = yield* this.#lookUpOnce(all, now)
        if (Exit.isSuccess(exit)) return this.#answer(all, exit, onAnswer)
      }
      for (const [at, some] of Arr.chunksOf(companies, maxCompaniesAtOnce).entries()) {
        const lookUpCompany = (its: Charges<F>) =>
          Effect.tap(this.#lookUpOnce(its, now), (exit) => Effect.sync(() => this.#answer(its, exit, onAnswer)))
        const [first, ...others] = yield* Effect.forEach(some, lookUpCompany, { concurrency: "unbounded" })
        // The store is down: the other companies' look-ups would fail, too.
        if ([first, ...others].every(Exit.isFailure))
          return onAnswer(companies.slice((at + 1) * maxCompaniesAtOnce).flat(), first)
      }
    },
  )

  #answer(charges: Charges<F>, exit: Exit.Exit<void, StoreUnavailable>, onAnswer: OnAnswer<F>): void {
    for (const { place } of charges) {
      this.#failing.delete(place.issuer)
      if (Exit.isFailure(exit)) this.#failing.add(place.issuer)
    }
    onAnswer(charges, exit)
  }

  #lookUpOnce(charges: Charges<F>, now: number): Effect.Effect<Exit.Exit<void, StoreUnavailable>> {
    return Effect.map(this.#finder.changed(charges, now), (found) => this.#watched.update(found, now)).pipe(
      // The store interrupts its calls when it ends.
      Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? closed : Effect.failCause(cause))),
      Effect.exit,
    )
  }
}
