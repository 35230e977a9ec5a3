import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { citusStore, distribute } from "@pixcharge/store-citus"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminPool, citusUrl, findWorkers, nodePool } from "./cluster.ts"

// These tests use their own cluster: the same servers, with another database on each.
const admin = adminPool()
const database = `versions_${crypto.randomUUID().slice(0, 8)}`
const { hostname: host, port } = new URL(citusUrl)
const workers = await findWorkers(admin)
const nodes = [{ host, port: Number(port) }, ...workers].map((node) => ({
  ...node,
  server: nodePool(node),
  db: nodePool(node, { database }),
}))
const [coordinator, first, last] = [nodes[0], nodes[1], nodes.at(-1)] as [Place, Place, Place]
type Place = (typeof nodes)[number]

beforeAll(async () => {
  for (const { server, db } of nodes) {
    await server.query(`CREATE DATABASE ${database}`)
    await db.query("CREATE EXTENSION citus")
  }
  await coordinator.db.query("SELECT citus_set_coordinator_host($1, $2)", [coordinator.host, coordinator.port])
  for (const worker of workers) await coordinator.db.query("SELECT citus_add_node($1, $2)", [worker.host, worker.port])
  await distribute(coordinator.db, { shards: 2 })
})

afterAll(async () => {
  for (const { server } of nodes) await server.query(`DROP DATABASE ${database} WITH (FORCE)`)
})

const openStore = (db: pg.Pool) => Effect.runPromise(Effect.scoped(Layer.build(citusStore({ db }))))

const expectRefusal = async (place: string, versions: string) => {
  const message = `${place} has ${versions}, but this release was tested only with Citus 13.2 on PostgreSQL 15.`
  await expect(distribute(coordinator.db)).rejects.toMatchObject({ _tag: "CitusUnusable", message })
  for (const { db } of [coordinator, first]) {
    await expect(openStore(db)).rejects.toMatchObject({ message: `The database can't be used: ${message}` })
    const finding = { check: "citus", status: "failed", message: message.slice(0, -1) }
    expect(await citusStore({ db }).diagnose?.({})).toContainEqual(finding)
  }
}

describe("a node with an untested version", () => {
  const place = `Node ${last.host}:${last.port}`

  it("is named over any connection if its Citus has another version", async () => {
    const setVersion = (version: string) =>
      last.db.query("UPDATE pg_extension SET extversion = $1 WHERE extname = 'citus'", [version])
    const { rows } = await last.db.query("SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'")
    await setVersion("14.1-1")
    await expectRefusal(place, "Citus 14.1 on PostgreSQL 15")
    await setVersion(rows[0].version)
    await openStore(coordinator.db)
  })

  it("is named over any connection if its PostgreSQL has another major version", async () => {
    await last.db.query(`SET citus.enable_ddl_propagation = off; CREATE SCHEMA newer;
       CREATE FUNCTION newer.current_setting(name text) RETURNS text LANGUAGE sql
       AS $$ SELECT CASE name WHEN 'server_version_num' THEN '160004' ELSE pg_catalog.current_setting(name) END $$`)
    await last.server.query(`ALTER DATABASE ${database} SET search_path = newer, pg_catalog, public`)
    await last.server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [database])
    await expectRefusal(place, "Citus 13.2 on PostgreSQL 16")
    await last.server.query(`ALTER DATABASE ${database} RESET search_path`)
    await last.server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [database])
    await openStore(coordinator.db)
  })
})

/** Runs `work` while the coordinator looks for the last worker at another port. */
const withPort = async (elsewhere: number, work: () => Promise<void>) => {
  const setPort = (from: number, to: number) =>
    coordinator.db.query("UPDATE pg_dist_node SET nodeport = $1 WHERE nodename = $2 AND nodeport = $3", [
      to,
      last.host,
      from,
    ])
  await setPort(last.port, elsewhere)
  try {
    await work()
  } finally {
    await setPort(elsewhere, last.port)
  }
}

it("an unreachable node lets hosts start, but prevents a distribution", async () => {
  await withPort(1, async () => {
    await openStore(coordinator.db)
    await expect(distribute(coordinator.db)).rejects.toThrow("Some nodes don't report their versions")
  })
  expect(await distribute(coordinator.db)).toEqual({ tables: [], shards: 2 })
})

it("a silent node lets hosts start", { tags: ["killsNodes"] }, async () => {
  const taken: Array<Socket> = []
  const silent = createServer((socket) => void taken.push(socket)).listen(0, "127.0.0.1")
  await once(silent, "listening")
  await withPort((silent.address() as AddressInfo).port, async () => {
    await expect(openStore(coordinator.db)).resolves.toBeDefined()
  })
  expect(taken).not.toEqual([])
  silent.close()
  for (const socket of taken) socket.destroy()
})
