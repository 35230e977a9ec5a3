import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { ChargeStore, ExceptionStore } from "@pixcharge/core"
import { migrate, postgresStore } from "@pixcharge/store-postgres"
import { startPostgres } from "../../../world/index.ts"
import { aChange, anUnmatchedPayment, aPaidCharge, aPendingCharge, fixtureNow } from "@pixcharge/testkit/fixtures"
import * as Effect from "effect/Effect"
import pg from "pg"
import { expect, it, onTestFinished } from "vitest"
import { address } from "../Laboratory.ts"
import { faultyClient, type SqlFault } from "../SqlFault.ts"
import { sqlFaults } from "../sqlFaults.ts"
import { tokenChecks } from "./tokenChecks.ts"
import { unplantedLocks } from "./unplantedLocks.ts"

const store = resolve(import.meta.dirname, "../../../../packages/store-postgres")
const files = readdirSync(join(store, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
)
const statements = new Map(files.map((file) => [file, readFileSync(join(store, "src", file), "utf8")]))

it.each(Object.entries(sqlFaults))("the store has %s, which a fault drops", (_, { mark, changes }) => {
  const marked = [...statements.values()].filter((text) => text.includes(mark))
  expect(marked).toHaveLength(1)
  for (const [from] of changes) expect(marked[0]).toContain(from)
})

/** Stores a charge, pays it and resolves an exception, one after the other, on a store with the fault. */
const useAlone = (db: pg.Pool) =>
  Effect.gen(function* () {
    const charges = yield* ChargeStore
    const exceptions = yield* ExceptionStore
    const charge = aPendingCharge()
    const inserted = yield* charges.insert(charge)
    const next = aPaidCharge(charge)
    const committed = yield* charges.commit(aChange(charge, { next, payments: [next.payment] }))
    const payment = anUnmatchedPayment()
    yield* charges.recordUnmatched(payment)
    const { issuer, endToEndId } = payment
    const resolved = { _tag: "Resolved", note: "fica", resolvedAt: fixtureNow } as const
    const isResolved = yield* exceptions.commit({ issuer, endToEndId, expectedVersion: 0, next: resolved, returns: [] })
    return [inserted._tag, committed.moved, isResolved]
  }).pipe(Effect.provide(postgresStore({ db, migrations: "check" })))

it("a store with a fault does as before while nobody else writes: no fault is one of syntax", async () => {
  const server = await startPostgres(["-c", "fsync=off"])
  onTestFinished(() => server.remove())
  const connectionString = address(server.port, "postgres")
  const poolWith = (fault?: SqlFault) => {
    const db = new pg.Pool({ connectionString, max: 2, ...(fault && { Client: faultyClient(fault) }) })
    // Its last connections may still be ending when the server does.
    db.on("error", () => undefined)
    return db
  }
  const migrating = poolWith()
  await migrate(migrating)
  await migrating.end()
  for (const [name, fault] of Object.entries(sqlFaults)) {
    const db = poolWith(fault)
    expect(await Effect.runPromise(useAlone(db)), name).toEqual(["Inserted", true, true])
    await db.end()
  }
}, 120_000)

/** Locks of rows and tables, wherever they stand in a line. */
const lockClause = /\bFOR\s+(?:(?:NO\s+KEY\s+)?UPDATE|(?:KEY\s+)?SHARE)\b|\bLOCK\s+TABLE\b/g

const countLocks = (text: string): number => text.match(lockClause)?.length ?? 0

/** How many locks of a file faults drop. */
const planted = (text: string): number =>
  Object.values(sqlFaults).filter(
    ({ mark, changes }) => text.includes(mark) && changes.some(([from]) => countLocks(from) > 0),
  ).length

it.each([
  "SELECT 1 FROM t\n  FOR UPDATE OF t SKIP LOCKED",
  "SELECT 1 FROM t WHERE a FOR UPDATE",
  "(SELECT 1 FROM t FOR NO KEY UPDATE)",
  "SELECT 1 FROM t FOR\n  SHARE",
  "SELECT 1 FROM t FOR KEY SHARE",
  "LOCK TABLE t IN EXCLUSIVE MODE",
])("a lock is seen wherever it stands: %s", (text) => {
  expect(countLocks(text)).toBe(1)
})

/** The store's tests have cases of these titles. */
const expectHeld = (titles: ReadonlyArray<string>): void => {
  const tests = ["locks.test.ts", "races.test.ts"].map((file) => readFileSync(join(store, "test", file), "utf8")).join()
  for (const title of titles) expect(tests).toContain(`"${title}"`)
}

it("every lock of the store is dropped by a fault, or listed with the reason why not and the test that holds it", () => {
  const locks = [...statements].map(([file, text]) => [file, countLocks(text)] as const)
  const known = [...statements].map(([file, text]) => {
    const listed = unplantedLocks.filter((lock) => lock.file === file).flatMap(({ heldBy }) => heldBy)
    return [file, planted(text) + listed.length] as const
  })
  expect(known).toEqual(locks)
  expectHeld(unplantedLocks.flatMap(({ heldBy }) => heldBy))
})

/** As `h.token = s.token`, or as `"l.token::text": "s.token"` of a look-up. */
const tokenCheck = /\w\.token(?:::text)?(?:" *:| *=)/g

it("every check of a lease's token is listed with the tests that hold it", () => {
  const found = [...statements].map(([file, text]) => [file, text.match(tokenCheck)?.length ?? 0] as const)
  const listed = Object.entries(tokenChecks)
  expect(Object.fromEntries(found.filter(([, checks]) => checks > 0))).toEqual(
    Object.fromEntries(listed.map(([file, { checks }]) => [file, checks])),
  )
  expectHeld(listed.flatMap(([, { heldBy }]) => heldBy))
})
