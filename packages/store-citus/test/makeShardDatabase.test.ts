import { type FailureKind, SqlFailure } from "@pixcharge/store-postgres"
import {
  type Answer,
  confirmReplication,
  type Database,
  withReads,
  repeatable,
  type Sql,
  unrepeatable,
  schemaName,
} from "@pixcharge/store-postgres/internal"
import { expect, it } from "vitest"
import { splitState } from "../src/shards/Shards.ts"
import { makeShardDatabase } from "../src/shards/openShards.ts"

// A scripted node answers the calls of `on_shard`; `test/cluster` runs every suite on a real cluster.

const schema = schemaName("shop")
const shard = { id: "11", key: "1", tables: new Map([["charges", "charges_11"]]) }

const select = repeatable("SELECT id FROM @.charges WHERE id = $1")
const insert = unrepeatable("INSERT INTO @.charges (id) VALUES ($1)")
const update = repeatable("UPDATE @.charges SET version = 2 WHERE id = $1 RETURNING version")

const failure = (kind: FailureKind, sqlState = "08006") => new SqlFailure({ kind, sqlState, message: kind })
const makeAnswer = (...rows: ReadonlyArray<unknown>): Answer => ({
  rows: rows.map((row) => ({ answer: JSON.stringify(row) })),
  repeated: false,
})

interface Call {
  readonly sql: Sql
  readonly values: ReadonlyArray<unknown>
}

/** A database that gives the answers in order, and then answers without rows. */
const setUp = (...answers: Array<Answer | SqlFailure>) => {
  const calls: Array<Call> = []
  let splits = 0
  const run: Database["run"] = async (statement, values) => {
    calls.push({ sql: statement(schema), values })
    const answer = answers.shift() ?? makeAnswer()
    if (answer instanceof SqlFailure) throw answer
    return answer
  }
  const database = makeShardDatabase(withReads(run), schema, shard, () => void splits++)
  return { ...database, calls, splits: () => splits, names: () => calls.map(({ values }) => String(values[2])) }
}

const readName = ({ name }: Sql, generation: number): string => `${name}_11_${generation}`

it("a statement runs with the shard's key, on the shard's tables", async () => {
  const { read, calls } = setUp(makeAnswer({ id: "a" }, { id: "b" }))
  expect(await read(select, ["a"])).toEqual([{ id: "a" }, { id: "b" }])
  const [{ sql, values } = { sql: undefined, values: [] }] = calls
  expect(sql?.text).toBe(
    `SELECT answer FROM "shop".on_shard($1::text, $2::bigint, $3::text, $4::text, $5::text[]) answer`,
  )
  const text = 'SELECT id FROM "shop".charges_11 WHERE id = $1'
  expect(values).toEqual(["1", "11", readName(select(schema), 0), text, '{"a"}'])
})

it("a repeatable statement's call is sent again after a lost answer", async () => {
  const { read, calls } = setUp()
  for (const statement of [select, insert, update]) await read(statement, ["a"])
  expect(calls.map(({ sql }) => sql.repeatable)).toEqual([true, false, true])
})

it("a statement without rows returns a row to Citus, but not to its caller", async () => {
  const { read, calls } = setUp(makeAnswer({ "?column?": 1 }))
  expect(await read(insert, ["a"])).toEqual([])
  expect(calls[0]?.values[3]).toBe('INSERT INTO "shop".charges_11 (id) VALUES ($1) RETURNING 1')
})

it("values are sent as a Postgres array of strings", async () => {
  const { read, calls } = setUp()
  await read(select, ['a"b\\c', null, undefined, 12, "", "NULL", "{x,y}"])
  expect(calls[0]?.values[4]).toBe('{"a\\"b\\\\c",NULL,NULL,"12","","NULL","{x,y}"}')
})

it("a session that lost its prepared statements gets them under a new name, which later calls use", async () => {
  const { read, names } = setUp(failure("unnamed"), makeAnswer({ id: "a" }))
  expect(await read(select, ["a"])).toEqual([{ id: "a" }])
  await read(update, ["a"])
  expect(names()).toEqual([readName(select(schema), 0), readName(select(schema), 1), readName(update(schema), 1)])
})

it("concurrent calls that find prepared statements lost share one new name, and a second loss rejects", async () => {
  const together = setUp(failure("unnamed"), failure("unnamed"))
  await Promise.all([together.read(select, ["a"]), together.read(select, ["b"])])
  expect(together.names()).toEqual([0, 0, 1, 1].map((generation) => readName(select(schema), generation)))
  const again = setUp(failure("unnamed"), failure("unnamed"))
  await expect(again.read(select, ["a"])).rejects.toMatchObject({ kind: "unnamed" })
  expect(again.calls).toHaveLength(2)
})

it("any other failure rejects unchanged", async () => {
  const refused = failure("refused", "42501")
  const { read, calls, splits } = setUp(refused)
  await expect(read(select, ["a"])).rejects.toBe(refused)
  expect([calls.length, splits()]).toEqual([1, 0])
})

it("a call to a split shard rejects as split, and isn't executed", async () => {
  const { read, splits } = setUp(failure("refused", splitState))
  await expect(read(select, ["a"])).rejects.toMatchObject({ kind: "undone", message: "the shard was split" })
  expect(splits()).toBe(1)
})

it("after a lost answer, a call to a split shard rejects as lost", async () => {
  const lost = failure("lost", splitState)
  const { read, splits } = setUp(lost)
  await expect(read(insert, ["a"])).rejects.toBe(lost)
  expect(splits()).toBe(1)
})

const repeated: Answer = { ...makeAnswer({ version: 2 }), repeated: true }

it("a repeated change is confirmed on the shard's node", async () => {
  const { run, calls } = setUp(repeated)
  expect(await run(update, ["a"])).toEqual({ rows: [{ version: 2 }], repeated: true })
  expect(calls.map(({ values }) => values.slice(2))).toEqual([
    [readName(update(schema), 0), 'UPDATE "shop".charges_11 SET version = 2 WHERE id = $1 RETURNING version', '{"a"}'],
    [readName(confirmReplication(schema), 0), confirmReplication(schema).text, "{}"],
  ])
})

it("a read is not confirmed, and neither is a change that was sent once", async () => {
  const { run, calls } = setUp({ ...repeated }, makeAnswer({ version: 2 }))
  await run(select, ["a"])
  await run(update, ["a"])
  expect(calls).toHaveLength(2)
})

it("a change that can't be confirmed rejects as lost", async () => {
  const { run } = setUp(repeated, failure("refused", "42501"))
  await expect(run(update, ["a"])).rejects.toMatchObject({ kind: "lost", sqlState: "42501" })
})
