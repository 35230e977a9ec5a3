import { StoreUnavailable } from "@pixcharge/core"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Finder } from "./Finder.ts"
import type { AnyFound, Found, WatchedCharge, WatchedCharges } from "./WatchedCharges.ts"

/** How many companies are looked up at once after a look-up of all failed. The other connections are for other calls. */
const maxCompaniesAtOnce = 8

type Answer = Deferred.Deferred<void, StoreUnavailable>

/** Charges of one look-up, each with the answer that its pages wait for. */
type Batch<F extends AnyFound> = ReadonlyArray<readonly [WatchedCharge<F>, Answer]>

const closed = Effect.fail(new StoreUnavailable({ operation: "changed", cause: "the checkout has ended" }))

const answerAll = (
  batch: ReadonlyArray<readonly [unknown, Answer]>,
  answer: Effect.Effect<void, StoreUnavailable>,
): void => {
  for (const [, waiting] of batch) Deferred.doneUnsafe(waiting, answer)
}

const groupByCompany = <F extends AnyFound>(batch: Batch<F>): ReadonlyArray<Batch<F>> =>
  Object.values(Arr.groupBy(batch, ([{ place }]) => place.issuer))

/**
 * Charges that wait for their first look-up.
 *
 * One call looks up all that have joined meanwhile. If it fails, each company is looked up by itself, for a store in shards
 * may fail for some companies alone.
 */
export class JoinQueue<F extends AnyFound = Found> {
  readonly #answers = new Map<WatchedCharge<F>, Answer>()
  readonly #finder: Finder<F>
  readonly #watched: WatchedCharges<F>

  constructor(finder: Finder<F>, watched: WatchedCharges<F>) {
    this.#finder = finder
    this.#watched = watched
  }

  get isEmpty(): boolean {
    return this.#answers.size === 0
  }

  has(charge: WatchedCharge<F>): boolean {
    return this.#answers.has(charge)
  }

  /** Puts a charge into the queue, once; the answer comes with its look-up. */
  join(charge: WatchedCharge<F>): Answer {
    const answer = this.#answers.get(charge) ?? Deferred.makeUnsafe()
    this.#answers.set(charge, answer)
    return answer
  }

  /** Looks up all that wait. Each of them is answered, even where the look-up is interrupted. */
  readonly lookUpAll: Effect.Effect<void> = Effect.suspend(() => {
    const batch = this.#takeAll()
    return Effect.ensuring(
      this.#lookUpTogetherOrApart(batch),
      Effect.sync(() => answerAll(batch, closed)),
    )
  })

  /** Tells all who wait that no answer will come. */
  close(): void {
    answerAll(this.#takeAll(), closed)
  }

  #takeAll(): Batch<F> {
    const batch = [...this.#answers]
    this.#answers.clear()
    return batch
  }

  #lookUpTogetherOrApart(batch: Batch<F>): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const now = yield* Clock.currentTimeMillis
      const exit = yield* this.#lookUp(batch, now)
      const companies = groupByCompany(batch)
      if (Exit.isSuccess(exit) || companies.length === 1) return answerAll(batch, exit)
      for (const some of Arr.chunksOf(companies, maxCompaniesAtOnce)) {
        const lookUpCompany = (its: Batch<F>) =>
          Effect.tap(this.#lookUp(its, now), (answer) => Effect.sync(() => answerAll(its, answer)))
        const exits = yield* Effect.forEach(some, lookUpCompany, { concurrency: "unbounded" })
        const [first] = exits
        // The store is down: the other companies' look-ups would fail, too.
        if (first !== undefined && exits.every(Exit.isFailure)) return answerAll(batch, first)
      }
    })
  }

  #lookUp(batch: Batch<F>, now: number): Effect.Effect<Exit.Exit<void, StoreUnavailable>> {
    const charges = batch.map(([charge]) => charge)
    return Effect.map(this.#finder.changed(charges, now), (found) => this.#watched.update(found, now)).pipe(
      // The store interrupts its calls when it ends.
      Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? closed : Effect.failCause(cause))),
      Effect.exit,
    )
  }
}
