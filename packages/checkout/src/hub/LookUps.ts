import { StoreUnavailable } from "@pixcharge/core"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Finder } from "./Finder.ts"
import type { AnyFound, Found, WatchedItem, WatchedItems } from "./WatchedItems.ts"

const maxCompaniesAtOnce = 8

const closed = Effect.fail(new StoreUnavailable({ operation: "changed", cause: "the checkout has ended" }))

type Items<F extends AnyFound> = ReadonlyArray<WatchedItem<F>>

export type OnAnswer<F extends AnyFound> = (items: Items<F>, exit: Exit.Exit<void, StoreUnavailable>) => void

/**
 * Looks up watched items and sends changes to their pages.
 *
 * One call reads the items of all companies. If it fails, a call for each company follows, because only some shards can be
 * down.
 */
export class LookUps<F extends AnyFound = Found> {
  readonly #finder: Finder<F>
  readonly #watched: WatchedItems<F>
  /** The companies whose last look-up failed; the latest failure is last. */
  readonly #failing = new Set<string>()

  constructor(finder: Finder<F>, watched: WatchedItems<F>) {
    this.#finder = finder
    this.#watched = watched
  }

  /** Passes each item to exactly one call of `onAnswer`. */
  lookUp(items: Items<F>, now: number, onAnswer: OnAnswer<F>): Effect.Effect<void> {
    const companies = new Map(Object.entries(Arr.groupBy(items, ({ key }) => key.issuer)))
    const failing = [...this.#failing].flatMap((company) => {
      const known = companies.get(company)
      companies.delete(company)
      return known === undefined ? [] : [known]
    })
    const groups = [[...companies.values()], failing]
    return Effect.forEach(groups, (group) => this.#lookUpTogetherOrApart(group, now, onAnswer), { discard: true })
  }

  readonly #lookUpTogetherOrApart = Effect.fnUntraced(
    { self: this },
    function* (this: LookUps<F>, companies: ReadonlyArray<Items<F>>, now: number, onAnswer: OnAnswer<F>) {
      if (companies.length > 1) {
        const all = companies.flat()
        const exit = yield* this.#lookUpOnce(all, now)
        if (Exit.isSuccess(exit)) return this.#answer(all, exit, onAnswer)
      }
      for (const [index, some] of Arr.chunksOf(companies, maxCompaniesAtOnce).entries()) {
        const lookUpCompany = (items: Items<F>) =>
          Effect.tap(this.#lookUpOnce(items, now), (exit) => Effect.sync(() => this.#answer(items, exit, onAnswer)))
        const [first, ...others] = yield* Effect.forEach(some, lookUpCompany, { concurrency: "unbounded" })
        // If all of eight companies fail, the store is down, and further look-ups would fail.
        if ([first, ...others].every(Exit.isFailure))
          return onAnswer(companies.slice((index + 1) * maxCompaniesAtOnce).flat(), first)
      }
    },
  )

  #answer(items: Items<F>, exit: Exit.Exit<void, StoreUnavailable>, onAnswer: OnAnswer<F>): void {
    for (const { key } of items) {
      this.#failing.delete(key.issuer)
      if (Exit.isFailure(exit)) this.#failing.add(key.issuer)
    }
    onAnswer(items, exit)
  }

  #lookUpOnce(items: Items<F>, now: number): Effect.Effect<Exit.Exit<void, StoreUnavailable>> {
    return Effect.map(this.#finder.findChanged(items, now), (found) => this.#watched.update(found, now)).pipe(
      // The store interrupts its calls when it closes.
      Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? closed : Effect.failCause(cause))),
      Effect.exit,
    )
  }
}

type Answer = Deferred.Deferred<void, StoreUnavailable>

const answerAll = (answers: Iterable<Answer>, answer: Effect.Effect<void, StoreUnavailable>): void => {
  for (const waiting of answers) Deferred.doneUnsafe(waiting, answer)
}

/** Items that wait for a look-up. One look-up answers all items that joined the queue before it. */
export class JoinQueue<F extends AnyFound = Found> {
  #answers = new Map<WatchedItem<F>, Answer>()
  readonly #lookUps: LookUps<F>

  constructor(lookUps: LookUps<F>) {
    this.#lookUps = lookUps
  }

  get isEmpty(): boolean {
    return this.#answers.size === 0
  }

  has(item: WatchedItem<F>): boolean {
    return this.#answers.has(item)
  }

  join(item: WatchedItem<F>): Answer {
    const answer = this.#answers.get(item) ?? Deferred.makeUnsafe()
    this.#answers.set(item, answer)
    return answer
  }

  /** Every waiting item gets an answer, even if the look-up is interrupted. */
  readonly lookUpAll: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    const batch = this.#takeAll()
    const now = yield* Clock.currentTimeMillis
    const lookUp = this.#lookUps.lookUp([...batch.keys()], now, (items, exit) =>
      answerAll(
        items.flatMap((item) => batch.get(item) ?? []),
        exit,
      ),
    )
    yield* Effect.ensuring(
      lookUp,
      Effect.sync(() => answerAll(batch.values(), closed)),
    )
  })

  close(): void {
    answerAll(this.#takeAll().values(), closed)
  }

  #takeAll(): ReadonlyMap<WatchedItem<F>, Answer> {
    const batch = this.#answers
    this.#answers = new Map()
    return batch
  }
}
