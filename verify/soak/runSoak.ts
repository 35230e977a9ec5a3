import { maintenance } from "@pixcharge/store-postgres"
import { startPostgres, Worker } from "../world/index.ts"
import { root } from "../world/root.ts"
import { cpus, loadavg } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { inspect } from "node:util"
import pg from "pg"
import { clientOf, companies } from "./companies.ts"
import { DatabaseLink } from "./DatabaseLink.ts"
import { type FaultKind, type FaultPlaces, makeFault } from "./faults.ts"
import type { HostOrders } from "./host/main.ts"
import type { Leak } from "./host/plantLeak.ts"
import { makeCertificates } from "./makeCertificates.ts"
import { Observer } from "./measure/Observer.ts"
import { until } from "./openLoop.ts"
import type { OutsideOrders } from "./outside/main.ts"
import type { SoakResults, SoakSample } from "./SoakResults.ts"

/** What a run is asked for. */
export interface SoakOptions {
  readonly minutes: number
  /** Charges a second. */
  readonly rate: number
  readonly seed: number
  /** What goes wrong, again and again in this order. */
  readonly faults: ReadonlyArray<FaultKind>
  /** What the host is to lose. */
  readonly planted?: ReadonlyArray<Leak>
  /** Told of each sample as it is taken. */
  readonly onSample?: (sample: SoakSample) => void
}

/** Everything is done each minute of an hour, and more often in a shorter run: samples, upkeep, the look of autovacuum. */
const units = 60
const shortestUnitMs = 4_000
/** What was settled so many units ago is archived, as after days in production. */
const keptUnits = 2
/** Between two faults, at least. */
const shortestGapMs = 20_000
/** How long what is waiting in the end may take. */
const drainMs = 300_000

const built = `${root}/verify/dist/soak`

interface Running extends FaultPlaces {
  readonly host: Worker<HostOrders>
  readonly db: pg.Pool
  readonly options: SoakOptions
  readonly durationMs: number
  readonly unitMs: number
  readonly beganAt: number
  /** What went wrong beside the load. */
  readonly failures: Array<string>
}

const takeSample = async ({ host, observer, outside, beganAt }: Running): Promise<SoakSample> => ({
  atMs: performance.now() - beganAt,
  host: await host.ask("sample"),
  database: await observer.sample(),
  load: await outside.ask("sample"),
  machineLoad: loadavg()[0] ?? 0,
})

/** Archives and deletes what is old, as a host's own job does each day. */
const doUpkeep = async ({ db, unitMs, failures }: Running): Promise<void> => {
  try {
    await maintenance(db, { settledBefore: Date.now() - keptUnits * unitMs })
  } catch (error) {
    failures.push(`The upkeep failed: ${inspect(error)}`)
  }
}

const sampleAll = async (running: Running): Promise<ReadonlyArray<SoakSample>> => {
  const samples: Array<SoakSample> = []
  for (let unit = 1; unit * running.unitMs <= running.durationMs; unit++) {
    await until(running.beganAt + unit * running.unitMs)
    await doUpkeep(running)
    const sample = await takeSample(running)
    samples.push(sample)
    running.options.onSample?.(sample)
  }
  return samples
}

/** Makes faults until the last tenth of the run. */
const makeFaults = async (running: Running): Promise<SoakResults["faults"]> => {
  const { beganAt, durationMs, unitMs, options } = running
  const made: Array<SoakResults["faults"][number]> = []
  const gapMs = Math.max(unitMs, shortestGapMs)
  const lastAt = beganAt + durationMs * 0.9
  for (let at = beganAt + gapMs * 1.5; at < lastAt && options.faults.length > 0; at += gapMs) {
    await until(at)
    const kind = options.faults[made.length % options.faults.length] as FaultKind
    made.push({ kind, atMs: at - beganAt })
    await makeFault(kind, running)
  }
  return made
}

/** Waits until every event that must come has come. */
const drain = async ({ outside, observer }: Running): Promise<void> => {
  await outside.ask("rest")
  const giveUpAt = performance.now() + drainMs
  while ((await outside.ask("awaited")) > 0 && performance.now() < giveUpAt) {
    await observer.hasten()
    await pause(2_000)
  }
}

/** Opens the processes of a run and the way between them; hands them on, and ends them all. */
const withProcesses = async <A>(options: SoakOptions, use: (running: Running) => Promise<A>): Promise<A> => {
  const durationMs = options.minutes * 60_000
  const unitMs = Math.max(durationMs / units, shortestUnitMs)
  const naptimeSeconds = Math.min(Math.max(Math.round(unitMs / 1_000), 1), 60)
  const server = await startPostgres(["-c", `autovacuum_naptime=${naptimeSeconds}s`])
  const link = new DatabaseLink(server.port)
  const host = new Worker<HostOrders>(join(built, "host/main.js"), { execArgv: ["--expose-gc"] })
  const outside = new Worker<OutsideOrders>(join(built, "outside/main.js"))
  const db = new pg.Pool({ connectionString: `${server.url}/postgres`, max: 2 })
  try {
    const observer = await Observer.connect(`${server.url}/postgres`)
    const certificates = await makeCertificates(companies.map((one) => clientOf(one).clientId))
    const opened = await outside.ask("open", options.seed, certificates)
    const databaseUrl = `postgres://postgres:postgres@127.0.0.1:${await link.listen()}/postgres`
    const setting = { ...opened, databaseUrl, certificates, planted: options.planted ?? [] }
    const hostUrl = await host.ask("start", setting)
    await outside.ask("begin", hostUrl, options.rate, durationMs)
    const beganAt = performance.now()
    const used = await use({ host, outside, link, observer, db, options, durationMs, unitMs, beganAt, failures: [] })
    await observer.close()
    return used
  } finally {
    await Promise.all([host.end(), outside.end()])
    link.close()
    await db.end()
    await server.remove()
  }
}

/** Runs the load with its faults for so many minutes, and holds what was promised against what is there in the end. */
export const runSoak = (options: SoakOptions): Promise<SoakResults> =>
  withProcesses(options, async (running) => {
    const { host, outside, observer, failures } = running
    const startedAt = new Date().toISOString()
    const [samples, faults] = await Promise.all([sampleAll(running), makeFaults(running)])
    await drain(running)
    const { checked, violations } = await outside.ask("verify")
    return {
      minutes: options.minutes,
      rate: options.rate,
      seed: options.seed,
      startedAt,
      versions: { node: process.version, postgres: await observer.version() },
      machine: `${cpus().length} cores, ${cpus()[0]?.model.trim()}`,
      samples,
      faults,
      measured: await outside.ask("measured"),
      logged: await host.ask("logged"),
      checked,
      violations: [...violations, ...failures],
    }
  })
