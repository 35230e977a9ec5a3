import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest"
import { realPostgres } from "./realPostgres.ts"
import { until } from "./waiting.ts"

const folder = `${import.meta.dirname}/..`
const rounds = process.env["LONG"] ? 8 : 2

interface Event {
  readonly id: string
  readonly payment: { readonly chargeId: string; readonly endToEndId: string }
}

/** What arrived, in the order in which it did. */
const received: Array<Event> = []
let receiver: Server
let receiverUrl = ""

beforeAll(async () => {
  // A host that is killed amid a callback sends no end.
  receiver = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
    request.on("error", () => response.destroy())
    request.on("end", () => {
      received.push(JSON.parse(body) as Event)
      response.end()
    })
  })
  await new Promise<void>((resume) => void receiver.listen(0, "127.0.0.1", resume))
  const address = receiver.address()
  receiverUrl = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/` : ""
})
afterAll(() => receiver.close())

interface Host {
  readonly child: ChildProcess
  readonly lines: ReadonlyArray<ReadonlyArray<string>>
  readonly exited: Promise<number | null>
}

const startHost = (mode: string, database: string, charges: ReadonlyArray<string> = []): Host => {
  // V8 would optimise PGlite, which takes longer than all that the host has it do.
  const child = spawn(process.execPath, ["--liftoff-only", "test/crash/host.mjs", mode, database, receiverUrl], {
    cwd: folder,
    env: { ...process.env, CHARGES: charges.join(",") },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const lines: Array<ReadonlyArray<string>> = []
  const reader = createInterface({ input: child.stdout })
  reader.on("line", (line) => lines.push(line.split(" ")))
  const exited = new Promise<number | null>((resume) => {
    child.once("close", resume)
  })
  return { child, lines, exited }
}

const reported = (lines: Host["lines"], what: string) => lines.filter(([first]) => first === what)

/** Sells until so many payments were acknowledged and some event arrived; then kills the host. What was acknowledged. */
const sellAndKill = async (database: string, payments: number) => {
  const before = received.length
  const host = startHost("sell", database)
  await until(() => {
    if (host.child.exitCode !== null) throw new Error(`the host ended with ${host.child.exitCode}`)
    return reported(host.lines, "paid").length >= payments && received.length > before
  })
  host.child.kill("SIGKILL")
  await host.exited
  return { issued: reported(host.lines, "issued"), paid: reported(host.lines, "paid") }
}

const runHost = async (mode: string, database: string, charges: ReadonlyArray<string> = []) => {
  const host = startHost(mode, database, charges)
  expect(await host.exited).toBe(0)
  return host.lines
}

const eventIds = (chargeId: string): ReadonlyArray<string> => [
  ...new Set(received.filter(({ payment }) => payment.chargeId === chargeId).map(({ id }) => id)),
]

describe("a host that is killed with SIGKILL under load", () => {
  it("loses no charge and no payment that it acknowledged, and every event arrives under one id", async () => {
    const pool = await realPostgres()
    const database = `${inject("postgresUrl")}${new URL(pool.options.connectionString ?? "").pathname}`
    received.length = 0
    const issued: Array<ReadonlyArray<string>> = []
    const paid: Array<ReadonlyArray<string>> = []
    for (let round = 0; round < rounds; round++) {
      const sold = await sellAndKill(database, 100)
      issued.push(...sold.issued)
      paid.push(...sold.paid)
      // The dead host's queue waits for its lease to end, for 30 s; here it ends at once.
      await pool.query("UPDATE pixcharge.queue_leases SET lease_until = now()")
    }
    await runHost("drain", database)

    expect(issued.length).toBeGreaterThan(rounds * 20)
    const { rows } = await pool.query("SELECT id, transaction_id, state, settled_by FROM pixcharge.charges")
    const charges = new Map(rows.map((row) => [row.id as string, row]))
    for (const [, id, transactionId] of issued) expect(charges.get(id ?? "")?.transaction_id).toBe(transactionId)
    for (const [, id, endToEndId] of paid) {
      expect(charges.get(id ?? "")).toMatchObject({ state: "paid", settled_by: endToEndId })
    }
    const payments = await pool.query("SELECT count(*)::int AS count FROM pixcharge.payments WHERE settles")
    const settled = rows.filter(({ state }) => state === "paid")
    expect(payments.rows[0].count).toBe(settled.length)
    expect(settled.length).toBeGreaterThanOrEqual(paid.length)

    const ids = new Set<string>()
    for (const { id, settled_by } of settled) {
      const own = eventIds(id)
      expect(own).toHaveLength(1)
      ids.add(own[0] ?? "")
      expect(received.find((event) => event.payment.chargeId === id)?.payment.endToEndId).toBe(settled_by)
    }
    expect(ids.size).toBe(settled.length)
    const left = await pool.query("SELECT count(*)::int AS count FROM pixcharge.deliveries")
    expect(left.rows[0].count).toBe(0)
  }, 600_000)

  it("on the embedded database too: the next process takes the folder over and finds everything", async () => {
    const place = mkdtempSync(join(tmpdir(), "pixcharge-crash-"))
    onTestFinished(() => rmSync(place, { recursive: true, force: true }))
    const { issued, paid } = await sellAndKill(place, 32)
    expect(issued.length).toBeGreaterThan(0)
    const ids = issued.map(([, id]) => id ?? "")
    const found = new Map(reported(await runHost("check", place, ids), "found").map(([, id, ...rest]) => [id, rest]))
    for (const [, id, transactionId] of issued) expect(found.get(id)?.[1]).toBe(transactionId)
    for (const [, id, endToEndId] of paid) expect(found.get(id)).toEqual(["Paid", expect.any(String), endToEndId])
  }, 120_000)
})
