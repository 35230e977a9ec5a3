import type { StoreUnavailable } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { closed, type LookUps } from "./LookUps.ts"
import type { AnyFound, Found, WatchedCharge } from "./WatchedCharges.ts"

type Answer = Deferred.Deferred<void, StoreUnavailable>

const answerAll = (answers: Iterable<Answer>, answer: Effect.Effect<void, StoreUnavailable>): void => {
  for (const waiting of answers) Deferred.doneUnsafe(waiting, answer)
}

/** Charges that wait for their first look-up. Those that joined meanwhile are looked up together. */
export class JoinQueue<F extends AnyFound = Found> {
  #answers = new Map<WatchedCharge<F>, Answer>()
  readonly #lookUps: LookUps<F>

  constructor(lookUps: LookUps<F>) {
    this.#lookUps = lookUps
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
  readonly lookUpAll: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    const batch = this.#takeAll()
    const now = yield* Clock.currentTimeMillis
    const lookUp = this.#lookUps.lookUp([...batch.keys()], now, (charges, exit) =>
      answerAll(
        charges.flatMap((charge) => batch.get(charge) ?? []),
        exit,
      ),
    )
    yield* Effect.ensuring(
      lookUp,
      Effect.sync(() => answerAll(batch.values(), closed)),
    )
  })

  /** Tells all who wait that no answer will come. */
  close(): void {
    answerAll(this.#takeAll().values(), closed)
  }

  #takeAll(): ReadonlyMap<WatchedCharge<F>, Answer> {
    const batch = this.#answers
    this.#answers = new Map()
    return batch
  }
}
