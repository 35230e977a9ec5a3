import type { Ratio } from "../Ratio.ts"
import { median } from "../quantile.ts"
import type { Variant } from "./serve.ts"
import { type Server, startServer } from "./startServer.ts"
import { compare, takeTurns, type Turn, type Turns } from "./takeTurns.ts"

type Databases = (name: string) => Promise<string>

const issuing: ReadonlyArray<Variant> = ["express", "expressByHand", "bareExpress", "hono", "honoByHand", "bareHono"]
const asking: ReadonlySet<Variant> = new Set(["express", "expressByHand", "hono", "honoByHand"])

/** Ours in a framework beside a service by hand, and how many times as fast ours is to be. */
const pairs = [
  { name: "Express", own: "express", hand: "expressByHand", peer: "Express 5", issue: 2.5, status: 2.5 },
  { name: "Hono", own: "hono", hand: "expressByHand", peer: "Express 5", issue: 4, status: 4 },
  { name: "Hono", own: "hono", hand: "honoByHand", peer: "Hono", issue: 2.5, status: 2.5 },
] as const

/** A framework's bare route beside a service by hand: what no service in that framework can outdo. */
const bounds = [
  { name: "Express", bare: "bareExpress", hand: "expressByHand", peer: "Express 5" },
  { name: "Hono", bare: "bareHono", hand: "expressByHand", peer: "Express 5" },
  { name: "Hono", bare: "bareHono", hand: "honoByHand", peer: "Hono" },
] as const

const line = (
  what: string,
  peer: string,
  [turns, ours, theirs, of]: Parameters<typeof compare>,
  goal?: number,
): Ratio => ({ what, peer, ...compare(turns, ours, theirs, of), ...(goal !== undefined && { goal }) })

const microseconds = (turns: ReadonlyArray<Turn>, of: keyof Turn): string =>
  (median(turns.map((turn) => turn[of])) / 1e3).toFixed(0)

/** What a request costs on each server, which is worth something only beside the others of the same run. */
const report = (kind: string, turns: Turns): void => {
  for (const [variant, each] of turns) {
    const cost = `${microseconds(each, "wall")} µs of the clock, ${microseconds(each, "cpu")} µs of its processor time`
    console.error(`  ${kind} ${variant}: ${cost}`)
  }
}

/**
 * The service over HTTP, durable in Postgres, beside the same by hand, and beside routes that only parse and answer JSON.
 * `databases` makes a database of a name; all are there at once, for all servers are.
 */
export const httpBench = async (databases: Databases, rounds: number): Promise<ReadonlyArray<Ratio>> => {
  const servers: Array<Server> = []
  try {
    for (const variant of issuing) servers.push(await startServer(variant, await databases(variant.toLowerCase())))
    const issue = await takeTurns(servers, "issue", rounds)
    const status = await takeTurns(
      servers.filter(({ variant }) => asking.has(variant)),
      "status",
      rounds,
    )
    report("POST", issue)
    report("GET", status)
    return [
      ...pairs.flatMap(({ name, own, hand, peer, issue: issueGoal, status: statusGoal }) => [
        line(
          `POST /api/pix in ${name}, durable`,
          `${peer} + zod + jose + pg by hand`,
          [issue, own, hand, "wall"],
          issueGoal,
        ),
        line(`GET status in ${name}`, `${peer} + jose + one SELECT by hand`, [status, own, hand, "wall"], statusGoal),
      ]),
      ...bounds.map(({ name, bare, hand, peer }) =>
        line(`POST in a bare ${name} route, JSON in and out`, `${peer} + zod + jose + pg by hand`, [
          issue,
          bare,
          hand,
          "wall",
        ]),
      ),
      line(
        "server CPU of a POST in Express",
        "bare Express route, JSON in and out",
        [issue, "express", "bareExpress", "cpu"],
        1 / 1.35,
      ),
    ]
  } finally {
    for (const server of servers) await server.stop()
  }
}
