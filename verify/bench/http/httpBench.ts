import { compareCosts, openMeter } from "../costs.ts"
import type { Ratio } from "../compareRounds.ts"
import { nameWithVersion } from "../nameWithVersion.ts"
import { type Server, startServer } from "./startServer.ts"
import { takeTurns, type Turns } from "./takeTurns.ts"

type Databases = (name: string) => Promise<string>

const kinds = [
  ["ByHand", "zod + jose + pg by hand", 1.5],
  ["Tuned", "the same by hand, tuned: tokens kept, one INSERT for all that come together", 1],
  ["Bare", "a bare route with one INSERT a call", 1],
] as const

const frameworks = [
  ["express", "Express"],
  ["hono", "Hono"],
] as const

type Kind = (typeof kinds)[number][0]
type Own = (typeof frameworks)[number][0]

const variants = frameworks.flatMap(([own]) => [own, ...kinds.map(([kind]) => `${own}${kind}` as const)])

/**
 * Compares our service over HTTP, durable in Postgres, with services written by hand and with bare routes. Each server
 * has its own database.
 */
export const httpBench = async (databases: Databases, rounds: number): Promise<ReadonlyArray<Ratio>> => {
  const servers: Array<Server> = []
  const meter = await openMeter(await databases("http"))
  try {
    for (const variant of variants) servers.push(await startServer(variant, await databases(variant.toLowerCase())))
    const issue = await takeTurns(servers, meter, "issue", rounds)
    const readers = servers.filter(({ variant }) => !/ByHand|Bare/.test(variant))
    const status = await takeTurns(readers, meter, "status", rounds)
    const row = (turns: Turns, what: string, own: Own, [kind, by, goal]: readonly [Kind, string, number]) => ({
      what,
      peer: `${nameWithVersion(own)}, ${by}`,
      ...compareCosts(turns[own] ?? [], turns[`${own}${kind}`] ?? []),
      goal,
    })
    return [
      ...frameworks.flatMap(([own, name]) => kinds.map((kind) => row(issue, `POST /api/pix in ${name}`, own, kind))),
      ...frameworks.map(([own, name]) =>
        row(status, `GET /api/pix in ${name}`, own, ["Tuned", "jose + one SELECT by hand, tuned: tokens kept", 1]),
      ),
    ]
  } finally {
    await meter.close()
    for (const server of servers) await server.stop()
  }
}
