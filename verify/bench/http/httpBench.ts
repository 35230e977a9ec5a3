import { nameWithVersion } from "../nameWithVersion.ts"
import type { Ratio } from "../compareRounds.ts"
import { median } from "../../world/quantile.ts"
import { type Server, startServer } from "./startServer.ts"
import { compare, takeTurns, type Turn, type Turns } from "./takeTurns.ts"

type Databases = (name: string) => Promise<string>

const variants = [
  "express",
  "expressByHand",
  "expressTuned",
  "bareExpress",
  "hono",
  "honoByHand",
  "honoTuned",
  "bareHono",
] as const

const simple = { post: "zod + jose + pg by hand", get: "jose + one SELECT by hand" }
const tuned = {
  post: "zod + jose + pg by hand, tuned: tokens kept, one INSERT for all that come together",
  get: "jose + one SELECT by hand, tuned: tokens kept",
}

const pairs = [
  {
    name: "Express",
    own: "express",
    hand: "expressByHand",
    peer: "express",
    bare: "bareExpress",
    goal: 2.5,
    by: simple,
  },
  { name: "Express", own: "express", hand: "expressTuned", peer: "express", bare: "bareExpress", goal: 1, by: tuned },
  { name: "Hono", own: "hono", hand: "expressByHand", peer: "express", bare: "bareHono", goal: 4, by: simple },
  { name: "Hono", own: "hono", hand: "honoByHand", peer: "hono", bare: "bareHono", goal: 2.5, by: simple },
  { name: "Hono", own: "hono", hand: "honoTuned", peer: "hono", bare: "bareHono", goal: 1, by: tuned },
] as const

const microseconds = (turns: ReadonlyArray<Turn>, of: keyof Turn): string =>
  (median(turns.map((turn) => turn[of])) / 1e3).toFixed(0)

const report = (kind: string, turns: Turns): void => {
  for (const [variant, each] of turns) {
    const cost = `${microseconds(each, "wall")} µs of the clock, ${microseconds(each, "cpu")} µs of its processor time`
    console.error(`  ${kind} ${variant}: ${cost}`)
  }
}

/**
 * Compares our service over HTTP, durable in Postgres, with services written by hand and with empty routes. Each server
 * has its own database.
 */
export const httpBench = async (databases: Databases, rounds: number): Promise<ReadonlyArray<Ratio>> => {
  const servers: Array<Server> = []
  try {
    for (const variant of variants) servers.push(await startServer(variant, await databases(variant.toLowerCase())))
    const issue = await takeTurns(servers, "issue", rounds)
    const status = await takeTurns(servers, "status", rounds)
    report("POST", issue)
    report("GET", status)
    const line = (
      turns: Turns,
      what: string,
      by: string,
      { own, hand, bare, peer, goal }: (typeof pairs)[number],
    ): Ratio => ({
      what,
      peer: `${nameWithVersion(peer)} + ${by}`,
      ...compare(turns, own, hand, "wall"),
      goal,
      limit: compare(turns, bare, hand, "wall").ratio,
    })
    return [
      ...pairs.flatMap((pair) => [
        line(issue, `POST /api/pix in ${pair.name}, durable`, pair.by.post, pair),
        line(status, `GET status in ${pair.name}`, pair.by.get, pair),
      ]),
      {
        what: "server CPU of a POST in Express",
        peer: `bare ${nameWithVersion("express")} route, JSON in and out`,
        ...compare(issue, "express", "bareExpress", "cpu"),
        goal: 1 / 1.35,
      },
    ]
  } finally {
    for (const server of servers) await server.stop()
  }
}
