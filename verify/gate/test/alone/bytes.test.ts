import { memoryStore } from "@pixcharge/store-memory"
import { migrate, postgresStore } from "@pixcharge/store-postgres"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { allocatedBytes } from "../../costs/allocatedBytes.ts"
import { type CountedDatabase, openDatabase } from "../../costs/openDatabase.ts"
import { type Operation, openShop } from "../../costs/openShop.ts"
import { serveShop } from "../../costs/serveShop.ts"
import { inExpress, inFastify, inHono } from "../../costs/servers.ts"

/** Noted bytes by Node release. Since Node 24, V8 copies objects differently; Node 26 has the figures of 24. */
type Noted = readonly [node20: number, node22: number, node24: number]

/** The bytes of each operation without a framework. Change a figure only together with the code that changes it. */
const onMemory = {
  issue: [25_100, 24_800, 24_800],
  issueLongBody: [92_400, 79_400, 79_400],
  repeat: [24_700, 24_400, 24_400],
  status: [7_800, 7_710, 7_710],
  paidStatus: [16_400, 15_900, 15_900],
  notice: [53_700, 51_600, 51_600],
  refund: [85_300, 81_500, 81_300],
  deliver: [145_700, 145_700, 145_700],
  emptyPoll: [17_000, 17_000, 17_000],
} as const satisfies Record<string, Noted>

const onPostgres = {
  issue: [48_500, 47_000, 48_600],
  status: [56_900, 56_700, 75_500],
  paidStatus: [67_700, 67_100, 85_900],
} as const satisfies Record<string, Noted>

/** The bytes of a request on the memory store, including the framework and the client at the socket. */
const throughFrameworks = [
  ["Express", inExpress, { issue: [57_700, 59_700, 44_500], status: [39_600, 42_100, 25_700] }],
  ["Hono", inHono, { issue: [49_600, 49_500, 48_500], status: [28_700, 29_200, 27_400] }],
  ["Fastify", inFastify, { issue: [44_600, 44_400, 43_500], status: [24_800, 25_200, 23_100] }],
] as const

const major = Number.parseInt(process.versions.node)
const release = major < 22 ? 0 : major < 24 ? 1 : 2

/**
 * The allowed difference from a noted figure. Runs on one release differ by up to 3 %, and Node 24 and 26 by up to 5 %
 * from the noted figures, so an increase of 15 % always fails. Note savings too: otherwise the band would hide a later
 * increase.
 */
const band = 0.08

const measure = async (
  operation: Operation,
  noted: Noted,
): Promise<{ readonly bytes: number; readonly isInBand: boolean }> => {
  const bytes = await allocatedBytes(operation)
  return { bytes, isInBand: Math.abs(bytes / noted[release] - 1) < band }
}

let database: CountedDatabase

beforeAll(async () => {
  database = await openDatabase()
  await migrate(database.pool)
})

afterAll(() => database.close())

const listNames = <A extends object>(noted: A) => Object.keys(noted) as Array<Extract<keyof A, string>>

describe("the bytes of each operation", () => {
  // Postgres comes first, because the rows that `pg` makes take more bytes after garbage collections.
  it.each(listNames(onPostgres))("%s allocates the noted bytes on Postgres", async (name) => {
    await using shop = await openShop(postgresStore({ db: database.pool }))
    const { bytes, isInBand } = await measure(shop.operations[name], onPostgres[name])
    expect(isInBand, `${bytes} bytes`).toBe(true)
  })

  it.each(listNames(onMemory))("%s allocates the noted bytes on the memory store", async (name) => {
    await using shop = await openShop(memoryStore())
    const { bytes, isInBand } = await measure(shop.operations[name], onMemory[name])
    expect(isInBand, `${bytes} bytes`).toBe(true)
  })

  describe.each(throughFrameworks)("through %s", (_, serverOf, noted) => {
    it.each(listNames(noted))("%s allocates the noted bytes", async (name) => {
      await using shop = await serveShop(serverOf)
      const { bytes, isInBand } = await measure(shop.operations[name], noted[name])
      expect(isInBand, `${bytes} bytes`).toBe(true)
    })
  })
})
