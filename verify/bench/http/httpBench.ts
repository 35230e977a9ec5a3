import { alternate } from "../alternate.ts"
import { compareCosts, openMeter } from "../costs.ts"
import type { Ratio } from "../compareRounds.ts"
import { nameWithVersion } from "../nameWithVersion.ts"
import { issueOnce, load } from "./load.ts"
import type { Framework, Writer } from "./serve.ts"
import { type Server, startServer } from "./startServer.ts"

const frameworks = [
  ["express", "Express"],
  ["hono", "Hono"],
] as const

type Peers = ReadonlyArray<readonly [writer: Writer, by: string, goal: number]>

const issuers: Peers = [
  ["byHand", "zod + jose + pg by hand", 1.5],
  ["tuned", "the same by hand, tuned: tokens kept, one INSERT for all that come together", 1],
  ["bare", "a bare route with one INSERT a call", 1],
]
const readers: Peers = [["tuned", "jose + one SELECT by hand, tuned: tokens kept", 1]]

const turn = { connections: 64, durationMs: 500 }
const warmUp = 4

/**
 * Compares our service over HTTP, durable in Postgres, with services written by hand and with bare routes. Each server
 * has its own database.
 */
export const httpBench = async (
  databases: (name: string) => Promise<string>,
  rounds: number,
): Promise<ReadonlyArray<Ratio>> => {
  const servers: Array<Server> = []
  const meter = await openMeter(await databases("http"))

  const race = async (what: string, kind: "issue" | "status", peers: Peers): Promise<ReadonlyArray<Ratio>> => {
    const contenders: Array<Server & { readonly ids: ReadonlyArray<string> }> = []
    for (const server of servers) {
      if (server.writer !== "ours" && !peers.some(([peer]) => peer === server.writer)) continue
      contenders.push({ ...server, ids: kind === "status" ? await issueOnce({ ...server, count: 500 }) : [] })
    }
    const costs = await alternate(contenders, { rounds, warmUp }, ({ port, token, ids, cpuNs }) =>
      meter.measure(cpuNs, async () => (await load({ ...turn, port, token, kind, ids })).count),
    )
    const costsOf = (framework: Framework, writer: Writer) =>
      costs[contenders.findIndex((one) => one.framework === framework && one.writer === writer)] ?? []
    return frameworks.flatMap(([framework, name]) =>
      peers.map(([peer, by, goal]) => ({
        what: `${what} in ${name}`,
        peer: `${nameWithVersion(framework)}, ${by}`,
        ...compareCosts(costsOf(framework, "ours"), costsOf(framework, peer)),
        goal,
      })),
    )
  }

  try {
    for (const [framework] of frameworks)
      for (const writer of ["ours", ...issuers.map(([peer]) => peer)] as const)
        servers.push(await startServer(framework, writer, await databases(`${framework}_${writer.toLowerCase()}`)))
    const issued = await race("POST /api/pix", "issue", issuers)
    return [...issued, ...(await race("GET /api/pix", "status", readers))]
  } finally {
    await meter.close()
    for (const server of servers) await server.stop()
  }
}
