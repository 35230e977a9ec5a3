import { type InvalidFilter, type StorePorts, StoreUnavailable, type TooManyReports } from "@pixcharge/core"
import type { PayerHasRecurrence } from "@pixcharge/core/recurrence"
import { SqlFailure } from "@pixcharge/store-postgres"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isSplit, maxSplits, type ShardPorts, type StoreShards } from "../shards/Shards.ts"

export interface PartFailure<Item> {
  readonly items: ReadonlyArray<Item>
  readonly failure: StoreUnavailable
}

export interface BatchAnswers<Item, A> {
  readonly answers: ReadonlyArray<A>
  readonly failures: ReadonlyArray<PartFailure<Item>>
}

export interface Part<Item> {
  readonly shard: ShardPorts
  readonly items: ReadonlyArray<Item>
}

type ByCompany = { readonly issuer: string }

export const groupByShard = Effect.fnUntraced(function* <Item>(
  shards: StoreShards,
  items: ReadonlyArray<Item>,
  getCompany: (item: Item) => ByCompany,
): Effect.fn.Return<ReadonlyArray<Part<Item>>, StoreUnavailable> {
  const parts = new Map<string, { readonly shard: ShardPorts; readonly items: Array<Item> }>()
  const byCompany = new Map<string, Array<Item>>()
  for (const item of items) {
    const { issuer } = getCompany(item)
    const known = byCompany.get(issuer)
    if (known !== undefined) {
      known.push(item)
      continue
    }
    const shard = yield* shards.find(issuer)
    const part = parts.get(shard.id) ?? { shard, items: [] }
    parts.set(shard.id, part)
    part.items.push(item)
    byCompany.set(issuer, part.items)
  }
  return [...parts.values()]
})

/** A failing shard fails only its own part of the batch. If a shard was split meanwhile, its part goes to the new shards. */
export const callAtCompanies =
  (shards: StoreShards) =>
  <Item, A>(
    items: ReadonlyArray<Item>,
    getCompany: (item: Item) => ByCompany,
    call: (shard: ShardPorts, items: ReadonlyArray<Item>) => Effect.Effect<A, StoreUnavailable>,
  ): Effect.Effect<BatchAnswers<Item, A>> => {
    const callPart = ({ shard, items: part }: Part<Item>, splits: number): Effect.Effect<BatchAnswers<Item, A>> =>
      Effect.matchEffect(call(shard, part), {
        onSuccess: (answer) => Effect.succeed({ answers: [answer], failures: [] }),
        onFailure: (failure) =>
          isSplit(failure) && splits < maxSplits
            ? callAll(part, splits + 1)
            : Effect.succeed(failPart<Item, A>(part, failure)),
      })

    const callAll = (all: ReadonlyArray<Item>, splits: number): Effect.Effect<BatchAnswers<Item, A>> =>
      Effect.matchEffect(groupByShard(shards, all, getCompany), {
        onSuccess: (parts) =>
          Effect.map(
            Effect.forEach(parts, (part) => callPart(part, splits), { concurrency: "unbounded" }),
            joinAnswers,
          ),
        onFailure: (failure) => Effect.succeed(failPart<Item, A>(all, failure)),
      })

    return callAll(items, 0)
  }

const failPart = <Item, A>(items: ReadonlyArray<Item>, failure: StoreUnavailable): BatchAnswers<Item, A> => ({
  answers: [],
  failures: [{ items, failure }],
})

const joinAnswers = <Item, A>(all: ReadonlyArray<BatchAnswers<Item, A>>): BatchAnswers<Item, A> => ({
  answers: all.flatMap(({ answers }) => answers),
  failures: all.flatMap(({ failures }) => failures),
})

export const requireSomeAnswers = <Item, A>({
  answers,
  failures: [first],
}: BatchAnswers<Item, ReadonlyArray<A>>): Effect.Effect<ReadonlyArray<A>, StoreUnavailable> => {
  return answers.length === 0 && first !== undefined ? Effect.fail(first.failure) : Effect.succeed(answers.flat())
}

type StoreError = StoreUnavailable | InvalidFilter | TooManyReports | PayerHasRecurrence

export const callAtCompany =
  (shards: StoreShards) =>
  <A, E extends StoreError>(
    issuer: string,
    call: (shard: ShardPorts) => Effect.Effect<A, E>,
  ): Effect.Effect<A, StoreUnavailable | E> =>
    Effect.retry(Effect.flatMap(shards.find(issuer), call), { while: isSplit, times: maxSplits })

export const callPortAtCompany =
  <Name extends StorePorts, Port>(shards: StoreShards, port: Context.Key<Name, Port>) =>
  <A, E extends StoreError>(
    issuer: string,
    call: (port: Port) => Effect.Effect<A, E>,
  ): Effect.Effect<A, StoreUnavailable | E> =>
    callAtCompany(shards)(issuer, ({ ports }) => call(Context.get(ports, port)))

export interface EveryAnswer<A> {
  readonly answers: ReadonlyArray<A>
  readonly failures: ReadonlyArray<StoreUnavailable>
}

/**
 * Makes a call at every shard, one after the other, or `concurrency` calls at a time. A failing shard doesn't stop the calls at
 * other shards. Fails if the shards can't be read.
 */
export const callAtEveryShard = ({ all }: Pick<StoreShards, "all">) =>
  Effect.fnUntraced(function* <A>(
    call: (shard: ShardPorts) => Effect.Effect<A, StoreUnavailable>,
    concurrency = 1,
  ): Effect.fn.Return<EveryAnswer<A>, StoreUnavailable> {
    const called = new Set<string>()
    const answers: Array<A> = []
    const failures: Array<StoreUnavailable> = []
    for (;;) {
      const shards = (yield* all).filter(({ id }) => !called.has(id))
      for (const { id } of shards) called.add(id)
      const [passed, failed] = yield* Effect.partition(shards, call, { concurrency })
      answers.push(...passed)
      failures.push(...failed.filter((failure) => !isSplit(failure)))
      if (!failed.some(isSplit)) return { answers, failures }
    }
  })

export const requireAllAnswers = <A>(
  every: Effect.Effect<EveryAnswer<A>, StoreUnavailable>,
): Effect.Effect<ReadonlyArray<A>, StoreUnavailable> =>
  Effect.flatMap(every, ({ answers, failures: [first] }) =>
    first === undefined ? Effect.succeed(answers) : Effect.fail(first),
  )

/** Other shards' calls then stop waiting for a shard without an answer. */
export const silentAfterMs = 5_000

/** A test that moves the clock by days must not time a shard out. */
export const realSleep = (ms: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => resume(Effect.void), ms)
    return Effect.sync(() => clearTimeout(timer))
  })

const failAsSilent = Effect.fail(
  new StoreUnavailable({
    operation: "shard",
    cause: new SqlFailure({
      kind: "lost",
      sqlState: "",
      message: `no answer from the shard for ${silentAfterMs / 1000} s`,
    }),
  }),
)

/** The shard can still execute the call. */
export const failIfSilent = <A>(call: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A, StoreUnavailable> =>
  Effect.raceFirst(call, Effect.andThen(realSleep(silentAfterMs), failAsSilent))
