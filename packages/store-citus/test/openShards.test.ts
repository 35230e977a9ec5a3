import { Outbox } from "@pixcharge/core"
import { schemaName } from "@pixcharge/store-postgres/internal"
import type { Connection } from "@pixcharge/store-postgres"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { openShards } from "../src/shards/openShards.ts"
import { type ShardPorts, splitState } from "../src/shards/Shards.ts"
import { distributedTables } from "../src/cluster/distribution.ts"

const run = Effect.runPromise

/** Each shard has one company: company `a` is in shard `a1` until that shard is split. */
const setUp = (...given: ReadonlyArray<string>) => {
  let shards = given
  const called: Array<string> = []
  const makeShard = (issuer: unknown) => shards.find((id) => id.startsWith(String(issuer))) ?? ""
  const db: Connection = {
    query: async ({ text, values = [] }) => {
      if (text.includes("pg_dist_partition"))
        return {
          rows: shards.flatMap((id, begins) => distributedTables.map((name) => ({ table_name: name, id, begins }))),
        }
      if (text.includes("generate_series")) return { rows: shards.map((id) => ({ id, key: id.slice(0, 1) })) }
      if (text.includes("get_shard_id_for_distribution_column")) return { rows: [{ id: makeShard(values[0]) }] }
      called.push(String(values[1]))
      if (!shards.includes(String(values[1]))) throw Object.assign(new Error("split"), { code: splitState })
      return { rows: [] }
    },
  }
  const split = (...into: ReadonlyArray<string>) => void (shards = into)
  return { ...openShards(db, schemaName(undefined)), called, split }
}

const runToExit = ({ ports }: ShardPorts) => Effect.exit(Context.get(ports, Outbox).depth)

it("a shard has the same ports for a company and in the list of all shards", async () => {
  const { find, all } = setUp("a1", "b1")
  const shard = await run(find("b"))
  const [first, second] = await run(all)
  expect([first?.id, second?.id]).toEqual(["a1", "b1"])
  expect(second).toBe(shard)
  expect(await run(find("a"))).toBe(first)
  expect(await run(all)).toEqual([first, second])
})

it("a split keeps the other shards' ports, and opens ports for the new shards", async () => {
  const { find, all, called, split } = setUp("a1", "b1")
  const [kept, gone] = await run(all)
  if (kept === undefined || gone === undefined) throw new Error("expected two shards")
  split("a1", "b2", "c2")
  const { depth } = Context.get(gone.ports, Outbox)
  await expect(run(depth)).rejects.toMatchObject({ cause: { message: "the shard was split" } })
  expect(called).toEqual(["b1"])
  const after = await run(all)
  expect(after.map(({ id }) => id)).toEqual(["a1", "b2", "c2"])
  expect(after[0]).toBe(kept)
  expect(await run(find("b"))).toBe(after[1])
})

it("the ports of split shards are forgotten", async () => {
  const { all, split } = setUp("a1", "b1")
  const [, before] = await run(all)
  if (before === undefined) throw new Error("expected two shards")
  split("a1", "b2")
  await run(runToExit(before))
  const [, between] = await run(all)
  expect(between?.id).toBe("b2")
  split("a1", "b1")
  if (between !== undefined) await run(runToExit(between))
  const [, after] = await run(all)
  expect(after?.id).toBe("b1")
  expect(after).not.toBe(before)
})
