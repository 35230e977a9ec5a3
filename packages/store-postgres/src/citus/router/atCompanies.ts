import type { StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { isSplit, maxSplits, type ShardPorts, type StoreShards } from "../Shards.ts"

/** The items of one shard, and why it gave no answer for them. */
export interface Failed<Item> {
  readonly items: ReadonlyArray<Item>
  readonly failure: StoreUnavailable
}

/** What the shards of a batch have answered; of each item, either its shard's answer is here or its failure. */
export interface Parted<Item, A> {
  readonly answers: ReadonlyArray<A>
  readonly failed: ReadonlyArray<Failed<Item>>
}

/** The items of one shard. */
export interface Part<Item> {
  readonly shard: ShardPorts
  readonly items: ReadonlyArray<Item>
}

type ByCompany = { readonly issuer: string }

/** Parts a batch by the shards of its companies; fails if they aren't known. */
export const partByShard = Effect.fnUntraced(function* <Item>(
  { of }: StoreShards,
  items: ReadonlyArray<Item>,
  companyOf: (item: Item) => ByCompany,
): Effect.fn.Return<ReadonlyArray<Part<Item>>, StoreUnavailable> {
  const parts = new Map<string, { readonly shard: ShardPorts; readonly items: Array<Item> }>()
  const byCompany = new Map<string, Array<Item>>()
  for (const item of items) {
    const { issuer } = companyOf(item)
    const known = byCompany.get(issuer)
    if (known !== undefined) {
      known.push(item)
      continue
    }
    const shard = yield* of(issuer)
    const part = parts.get(shard.id) ?? { shard, items: [] }
    parts.set(shard.id, part)
    part.items.push(item)
    byCompany.set(issuer, part.items)
  }
  return [...parts.values()]
})

/**
 * Makes a call for a batch of several companies, at each of their shards for its part, all at once. A shard that fails
 * fails its own part; what was split meanwhile is parted again.
 */
export const atCompanies =
  (shards: StoreShards) =>
  <Item, A>(
    items: ReadonlyArray<Item>,
    companyOf: (item: Item) => ByCompany,
    call: (shard: ShardPorts, items: ReadonlyArray<Item>) => Effect.Effect<A, StoreUnavailable>,
  ): Effect.Effect<Parted<Item, A>> => {
    const callPart = ({ shard, items: part }: Part<Item>, splits: number): Effect.Effect<Parted<Item, A>> =>
      Effect.matchEffect(call(shard, part), {
        onSuccess: (answer) => Effect.succeed({ answers: [answer], failed: [] }),
        onFailure: (failure) =>
          isSplit(failure) && splits < maxSplits
            ? callAll(part, splits + 1)
            : Effect.succeed(failedWith<Item, A>(part, failure)),
      })

    const callAll = (all: ReadonlyArray<Item>, splits: number): Effect.Effect<Parted<Item, A>> =>
      Effect.matchEffect(partByShard(shards, all, companyOf), {
        onSuccess: (parts) =>
          Effect.map(
            Effect.forEach(parts, (part) => callPart(part, splits), { concurrency: "unbounded" }),
            joined,
          ),
        onFailure: (failure) => Effect.succeed(failedWith<Item, A>(all, failure)),
      })

    return callAll(items, 0)
  }

const failedWith = <Item, A>(items: ReadonlyArray<Item>, failure: StoreUnavailable): Parted<Item, A> => ({
  answers: [],
  failed: [{ items, failure }],
})

const joined = <Item, A>(all: ReadonlyArray<Parted<Item, A>>): Parted<Item, A> => ({
  answers: all.flatMap(({ answers }) => answers),
  failed: all.flatMap(({ failed }) => failed),
})

/**
 * What some shards have answered, where the others' part may be left out; the failure of one if none has.
 */
export const someAnswers = <Item, A>({
  answers,
  failed,
}: Parted<Item, ReadonlyArray<A>>): Effect.Effect<ReadonlyArray<A>, StoreUnavailable> => {
  const [first] = failed
  return answers.length === 0 && first !== undefined ? Effect.fail(first.failure) : Effect.succeed(answers.flat())
}
