import { fork } from "node:child_process"
import { once } from "node:events"
import { type Ratio, withRatio } from "../Ratio.ts"
import { issueOnce, load } from "./load.ts"
import type { Report, Variant } from "./serve.ts"

const connections = 64
const durationMs = 2_000
const rounds = 3
const warmUpMs = 1_000

const startServer = async (variant: Variant, databaseUrl: string) => {
  const child = fork(`${import.meta.dirname}/serve.js`, [variant, databaseUrl])
  const ask = async (): Promise<Report> => {
    const [message] = await once(child, "message")
    return message as Report
  }
  const ready = await ask()
  if (ready._tag !== "Ready") throw new Error(`${variant} did not start`)
  const cpuMicroseconds = async (): Promise<number> => {
    child.send("cpu")
    const report = await ask()
    return report._tag === "Cpu" ? report.microseconds : 0
  }
  const stop = async (): Promise<void> => {
    const ended = once(child, "exit")
    child.disconnect()
    await ended
  }
  return { ...ready, cpuMicroseconds, stop }
}

interface Cost {
  /** Nanoseconds of the clock for each request. */
  readonly wall: number
  /** Nanoseconds of the server's processor for each request. */
  readonly cpu: number
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** One server by itself on a database of its own, warmed up: what a request costs on it. */
const measureOne = async (variant: Variant, kind: "issue" | "status", databaseUrl: string): Promise<Cost> => {
  const { port, token, cpuMicroseconds, stop } = await startServer(variant, databaseUrl)
  const ids = kind === "status" ? await issueOnce({ port, token, count: 500 }) : []
  const plan = { port, token, connections, kind, ids }
  await load({ ...plan, durationMs: warmUpMs })
  const before = await cpuMicroseconds()
  const { elapsedMs, count } = await load({ ...plan, durationMs })
  const cpu = ((await cpuMicroseconds()) - before) * 1_000
  await stop()
  return { wall: (elapsedMs * 1e6) / count, cpu: cpu / count }
}

/** What a request costs on each server, as the median of rounds in which the servers take turns. */
const compare = async (
  variants: ReadonlyArray<Variant>,
  kind: "issue" | "status",
  databases: Databases,
): Promise<ReadonlyArray<Cost>> => {
  const costs = variants.map((): Array<Cost> => [])
  for (let round = 0; round < rounds; round++) {
    for (const [at, variant] of variants.entries()) {
      const databaseUrl = await databases(`http_${kind}_${variant.toLowerCase()}_${round}`)
      costs[at]?.push(await measureOne(variant, kind, databaseUrl))
    }
  }
  return costs.map((each) => ({ wall: median(each.map(({ wall }) => wall)), cpu: median(each.map(({ cpu }) => cpu)) }))
}

type Databases = (name: string) => Promise<string>

/** The service over HTTP, durable in Postgres, beside the same by hand; `databases` makes a database of a name. */
export const httpBench = async (databases: Databases): Promise<ReadonlyArray<Ratio>> => {
  const variants = ["express", "expressByHand", "hono", "honoByHand", "bareExpress"] as const
  const ratios: Array<Ratio> = []
  const add = (what: string, peer: string, ours: number, theirs: number, goal: number) =>
    ratios.push(withRatio({ what, peer, ours, theirs, goal }))

  const [express, expressByHand, hono, honoByHand, bare] = await compare(variants, "issue", databases)
  if (!express || !expressByHand || !hono || !honoByHand || !bare) return ratios
  add("POST /api/pix in Express, durable", "Express 5 + zod + jose + pg by hand", express.wall, expressByHand.wall, 2.5)
  add("POST /api/pix in Hono, durable", "Hono + zod + jose + pg by hand", hono.wall, honoByHand.wall, 2.5)
  add("server CPU of a POST in Express", "bare Express route, JSON in and out", express.cpu, bare.cpu, 1 / 1.35)

  const [status, statusByHand] = await compare(["express", "expressByHand"], "status", databases)
  if (!status || !statusByHand) return ratios
  add("GET status in Express", "Express 5 + jose + one SELECT by hand", status.wall, statusByHand.wall, 2.5)
  return ratios
}
