import { beginsAt } from "@pixcharge/testkit/simulation"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { describeHistory } from "../describeHistory.ts"
import { Laboratory } from "../Laboratory.ts"
import { type PostgresSimulated, simulatePostgres } from "../simulatePostgres.ts"
import { commitEdges } from "../StatementFate.ts"
import type { SqlFault } from "../SqlFault.ts"
import { sqlFaults } from "../sqlFaults.ts"
import { killedWrites } from "./killedWrites.ts"

/** Within so many histories a planted fault is found. */
const mostHistories = 30

let laboratory: Laboratory
beforeAll(async () => {
  laboratory = await Laboratory.open()
}, 120_000)
afterAll(() => laboratory.close())

/** Runs the histories of these seeds; each must hold. */
const soundHistories = async (from: number, count: number): Promise<ReadonlyArray<PostgresSimulated>> => {
  const histories: Array<PostgresSimulated> = []
  for (let seed = from; seed < from + count; seed++) {
    const simulated = await simulatePostgres({ seed, laboratory })
    expect(simulated.violations, describeHistory(seed, simulated)).toEqual([])
    histories.push(simulated)
  }
  return histories
}

const isDue = "w.next_at <= to_timestamp($1)"
/** All that a few steps lead to is over by then. Seconds since the epoch. */
const lastSentAt = beginsAt / 1_000 + 20 * 3_600

/** Nothing is sent that comes due later. */
const dispatchEnds: SqlFault = {
  mark: isDue,
  changes: [[isDue, `w.next_at <= least(to_timestamp($1), to_timestamp(${lastSentAt}))`]],
}

const tell = (what: string): boolean => process.stdout.write(`${what}\n`)

const incidentKinds = ["cut at the request", "cut at the answer", "delay", "silence"]

/** How often what these histories are for has happened in them, by name. */
const countOccurrences = (histories: ReadonlyArray<PostgresSimulated>): Readonly<Record<string, number>> => {
  const kills = histories.flatMap((one) => one.kills)
  const incidents = histories.flatMap((one) => [...one.incidents])
  const counted = (of: string, count: number) => [of, count] as const
  return Object.fromEntries([
    ...commitEdges.map((edge) => counted(`kill ${edge}`, kills.filter((kill) => kill.edge === edge).length)),
    ...Object.entries(killedWrites).map(([name, writes]) =>
      counted(`kill at ${name}`, kills.filter(({ write }) => writes.includes(write)).length),
    ),
    ...incidentKinds.map((kind) => counted(kind, incidents.filter((one) => one.startsWith(`${kind} at `)).length)),
    counted(
      "meeting",
      histories.reduce((sum, { meetings }) => sum + meetings, 0),
    ),
  ])
}

describe("histories on Postgres", () => {
  it("keep every rule, and charges are paid in them, and receivers told", async () => {
    const isTold = ({ charges, receipts }: PostgresSimulated): boolean =>
      charges.some((charge) => "payment" in charge) && receipts.some(({ event }) => event.kind === "paid")
    let found = false
    // On a busy machine a history may end before anything is paid.
    for (let seed = 1; !found && seed <= 5; seed++) found = (await soundHistories(seed, 1)).some(isTold)
    expect(found).toBe(true)
  }, 300_000)

  it(
    "keep every rule 200 times, with all in them that is to go wrong",
    { tags: ["long"], timeout: 3_600_000 },
    async () => {
      const occurrences = countOccurrences(await soundHistories(2, 200))
      tell(`200 histories on Postgres hold: ${JSON.stringify(occurrences)}`)
      const missing = Object.keys(occurrences).filter((name) => occurrences[name] === 0)
      expect(missing).toEqual([])
    },
  )

  it("show by a new charge that nothing is sent any more", { tags: ["long"], timeout: 300_000 }, async () => {
    const { violations } = await simulatePostgres({ seed: 1, steps: 6, laboratory, fault: dispatchEnds })
    expect(violations).toMatchObject([
      { rule: "nothingWaitsForEver", what: expect.stringMatching(/^a new charge, .* is not told to be paid$/) },
    ])
  })

  it.each(Object.entries(sqlFaults))(
    "show that the store lacks %s",
    { tags: ["long"], timeout: 1_800_000 },
    async (name, fault) => {
      let found = 0
      for (let seed = 1; found === 0 && seed <= mostHistories; seed++) {
        const [violation] = (await simulatePostgres({ seed, laboratory, fault })).violations
        if (violation === undefined) continue
        tell(`Without ${name}: history ${seed} breaks ${violation.rule}: ${violation.what}`)
        if (fault.rules.some((rule) => rule === violation.rule)) found = seed
      }
      tell(`Without ${name}: ${found === 0 ? "not found" : `found after ${found} histories`}`)
      expect(found).toBeGreaterThan(0)
    },
  )
})
