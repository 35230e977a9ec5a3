import type { StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { isSplit, maxSplits, type ShardPorts, type StoreShards } from "../Shards.ts"

/** The items of one shard, and why it gave no answer for them. */
export interface PartFailure<Item> {
  readonly items: ReadonlyArray<Item>
  readonly failure: StoreUnavailable
}

/** The answers of a batch's shards, and the failures of those that gave none. */
export interface BatchAnswers<Item, A> {
  readonly answers: ReadonlyArray<A>
  readonly failures: ReadonlyArray<PartFailure<Item>>
}

/** A batch's items of one shard. */
export interface Part<Item> {
  readonly shard: ShardPorts
  readonly items: ReadonlyArray<Item>
}

type ByCompany = { readonly issuer: string }

/** Groups a batch by the shards of its companies; fails if they can't be read. */
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

/**
 * Makes a call for a batch of several companies: at each of their shards for its part, all at once.
 *
 * A shard that fails, fails its own part alone. The part of one that was split meanwhile is sent to the shards that took its place.
 */
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

/** The answers that came, for calls that may leave out a failing shard's part; fails if none came. */
export const requireSomeAnswers = <Item, A>({
  answers,
  failures: [first],
}: BatchAnswers<Item, ReadonlyArray<A>>): Effect.Effect<ReadonlyArray<A>, StoreUnavailable> => {
  return answers.length === 0 && first !== undefined ? Effect.fail(first.failure) : Effect.succeed(answers.flat())
}
