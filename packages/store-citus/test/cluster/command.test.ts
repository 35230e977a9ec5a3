import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { migrate } from "@pixcharge/store-postgres"
import { expect, it } from "vitest"
import { distributedTables, keyedTables, referenceTables } from "../../src/cluster/distribution.ts"
import { adminPool, citusUrl, findShards, findWorkers, freshSchema } from "./cluster.ts"

const admin = adminPool()
const [worker = { host: "", port: 0 }] = await findWorkers(admin)
const schema = freshSchema(admin, "command")
const bin = join(import.meta.dirname, "../../dist/bin/pixcharge-citus.js")

const distribute = async (url: string, ...args: ReadonlyArray<string>) => {
  const env = { ...process.env, DATABASE_URL: url }
  const command = spawn(process.execPath, [bin, "distribute", "--schema", schema, ...args], { env })
  const ended = new Promise((resolve) => command.once("close", resolve))
  const [printed, failed, code] = await Promise.all([text(command.stdout), text(command.stderr), ended])
  return { printed, failed, code }
}

const countCharges = async () =>
  (await admin.query(`SELECT count(*)::int AS count FROM ${schema}.charges`)).rows[0].count

it("the command fails with one line if its address is a worker's", async () => {
  const url = new URL(citusUrl)
  url.host = `${worker.host}:${worker.port}`
  expect(await distribute(url.href)).toEqual({
    printed: "",
    failed: "This is a connection to a worker: distribute tables over a connection to the coordinator.\n",
    code: 1,
  })
})

it("the command distributes a schema with its rows, and prints the tables and the number of shards", async () => {
  await migrate(admin, { schema })
  await admin.query(
    `INSERT INTO ${schema}.charges (issuer, id, transaction_id, amount_cents, created_at, payable_until, watch_until,
       state, version, updated_at)
     SELECT n::text, gen_random_uuid(), gen_random_uuid(), n, now(), now(), now(), 'pending', 1, now()
     FROM generate_series(1, 200) n`,
  )
  const tables = [...distributedTables, ...keyedTables, ...referenceTables].join("\n")
  expect(await distribute(citusUrl)).toEqual({ printed: `distributed\n${tables}\n32 shards\n`, failed: "", code: 0 })
  expect(await findShards(admin, `${schema}.charges`)).toHaveLength(32)
  expect(await countCharges()).toBe(200)
})

it("a later run prints that every table was distributed already, even if two runs overlap", async () => {
  const nothing = { printed: "every table was distributed already\n32 shards\n", failed: "", code: 0 }
  expect(await distribute(citusUrl, "--shards", "32")).toEqual(nothing)
  expect(await Promise.all([distribute(citusUrl), distribute(citusUrl)])).toEqual([nothing, nothing])
  expect(await countCharges()).toBe(200)
})

it("another run distributes and prints a table that has become plain", async () => {
  await admin.query(`SELECT undistribute_table('${schema}.partial_refunds')`)
  const printed = "distributed\npartial_refunds\n32 shards\n"
  expect(await distribute(citusUrl)).toEqual({ printed, failed: "", code: 0 })
  expect(await countCharges()).toBe(200)
})

it("the command refuses another number of shards for a distributed schema", async () => {
  expect(await distribute(citusUrl, "--shards", "8")).toEqual({
    printed: "",
    failed: "The schema has 32 shards already: split them with Citus's own functions, and omit the number.\n",
    code: 1,
  })
  expect(await findShards(admin, `${schema}.charges`)).toHaveLength(32)
})
