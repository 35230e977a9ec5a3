import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { describeHistory } from "../src/describeHistory.ts"
import { Laboratory } from "../src/Laboratory.ts"
import { simulatePostgres } from "../src/simulatePostgres.ts"
import { commitEdges } from "../src/StatementFate.ts"
import { sqlFaults } from "../src/sqlFaults.ts"

/** Within so many histories a planted fault is found. */
const mostHistories = 30

let laboratory: Laboratory
beforeAll(async () => {
  laboratory = await Laboratory.open()
}, 120_000)
afterAll(() => laboratory.close())

/** Runs the histories of these seeds; each must hold. How many processes were killed at each edge of a commit. */
const expectSound = async (from: number, count: number): Promise<ReadonlyMap<string, number>> => {
  const kills = new Map<string, number>()
  for (let seed = from; seed < from + count; seed++) {
    const simulated = await simulatePostgres({ seed, laboratory })
    expect(simulated.violations, describeHistory(seed, simulated)).toEqual([])
    for (const [edge, killed] of simulated.kills) kills.set(edge, (kills.get(edge) ?? 0) + killed)
  }
  return kills
}

const tell = (what: string): boolean => process.stdout.write(`${what}\n`)

describe("histories on Postgres", () => {
  it("keep every rule", async () => {
    await expectSound(1, 1)
  }, 120_000)

  it(
    "keep every rule 200 times, with processes killed at every edge of a commit",
    { tags: ["long"], timeout: 3_600_000 },
    async () => {
      const kills = await expectSound(2, 200)
      tell(
        `200 histories on Postgres hold; killed ${commitEdges.map((edge) => `${edge}: ${kills.get(edge) ?? 0}`).join(", ")}`,
      )
      for (const edge of commitEdges) expect(kills.get(edge) ?? 0).toBeGreaterThan(0)
    },
  )

  it.each(Object.entries(sqlFaults))(
    "show that the store lacks %s",
    { tags: ["long"], timeout: 1_800_000 },
    async (name, fault) => {
      let found = 0
      for (let seed = 1; found === 0 && seed <= mostHistories; seed++) {
        const { violations } = await simulatePostgres({ seed, laboratory, fault })
        if (violations.length > 0) found = seed
      }
      tell(`Without ${name}: ${found === 0 ? "not found" : `found after ${found} histories`}`)
      expect(found).toBeGreaterThan(0)
    },
  )
})
