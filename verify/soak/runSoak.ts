import { maintenance } from "@pixcharge/store-postgres"
import { loadavg } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { inspect } from "node:util"
import pg from "pg"
import { startPostgres, TcpProxy, Worker } from "../world/index.ts"
import { makeCertificates } from "../world/makeCertificates.ts"
import { root } from "../world/root.ts"
import { type FaultKind, type FaultPlaces, makeFault } from "./faults.ts"
import type { HostOrders, HostSample } from "./host.ts"
import type { Measured } from "./Latencies.ts"
import { sleepUntil } from "./openLoop.ts"
import { type LoadSample, Outside } from "./outside/Outside.ts"
import type { Leak } from "./plantLeaks.ts"
import { type DatabaseSample, sampleDatabase } from "./sampleDatabase.ts"

export interface SoakOptions {
  readonly minutes: number
  /** Charges a second. */
  readonly rate: number
  readonly seed: number
  /** The faults, repeated in this order. */
  readonly faults: ReadonlyArray<FaultKind>
  readonly planted?: ReadonlyArray<Leak>
  readonly onSample?: (sample: SoakSample) => void
}

/** All measured quantities at one time. */
export interface SoakSample {
  /** Milliseconds since the start of the load. */
  readonly atMs: number
  readonly host: HostSample
  readonly database: DatabaseSample
  readonly load: LoadSample
  /** The machine's load average over a minute. */
  readonly machineLoad: number
}

export interface SoakResults {
  readonly postgres: string
  readonly samples: ReadonlyArray<SoakSample>
  readonly faults: number
  readonly measured: Measured
  /** The count of each logged warning and error. */
  readonly logged: Readonly<Record<string, number>>
  /**
   * The number of charges that were checked at the end. `violations` are those during the run and those of the checked
   * charges.
   */
  readonly checked: number
  readonly violations: ReadonlyArray<string>
}

/**
 * The number of units in a run. Each unit takes a sample, cleans and vacuums: once a minute in a run of an hour, more
 * often in a shorter run.
 */
const units = 60
const minUnitMs = 4_000
/** Deliveries that were settled this many units ago are deleted, as they are after some days in production. */
const keptUnits = 2
const minFaultGapMs = 20_000
/** The time limit for open work at the end. */
const drainMs = 300_000

interface Running extends FaultPlaces {
  readonly host: Worker<HostOrders>
  readonly options: SoakOptions
  readonly durationMs: number
  readonly unitMs: number
  readonly beganAt: number
  /** Failures outside the load. */
  readonly failures: Array<string>
}

/** Deletes old records, as a host's daily job does. */
const doUpkeep = async ({ db, unitMs, failures }: Running): Promise<void> => {
  try {
    await maintenance(db, { settledBefore: Date.now() - keptUnits * unitMs })
  } catch (error) {
    failures.push(`The upkeep failed: ${inspect(error)}`)
  }
}

const takeSamples = async (running: Running): Promise<ReadonlyArray<SoakSample>> => {
  const { host, db, outside, beganAt, unitMs, durationMs, options } = running
  const samples: Array<SoakSample> = []
  for (let unit = 1; unit * unitMs <= durationMs; unit++) {
    await sleepUntil(beganAt + unit * unitMs)
    await doUpkeep(running)
    const sample = {
      atMs: performance.now() - beganAt,
      host: await host.ask("sample"),
      database: await sampleDatabase(db),
      load: outside.sample(),
      machineLoad: loadavg()[0] ?? 0,
    }
    samples.push(sample)
    options.onSample?.(sample)
  }
  return samples
}

/** Causes faults until the last tenth of the run. Returns their number. */
const makeFaults = async (running: Running): Promise<number> => {
  const { beganAt, durationMs, unitMs, options } = running
  const gapMs = Math.max(unitMs, minFaultGapMs)
  const lastAt = beganAt + durationMs * 0.9
  let made = 0
  for (let index = beganAt + gapMs * 1.5; index < lastAt && options.faults.length > 0; index += gapMs) {
    await sleepUntil(index)
    await makeFault(options.faults[made++ % options.faults.length] as FaultKind, running)
  }
  return made
}

/** Makes failed deliveries due now, because their next attempt would be minutes or hours later. */
const makeDue = "UPDATE pixcharge.deliveries SET next_at = now() WHERE attempts > 0 AND next_at > now()"

/** Waits until every required event has arrived. */
const drain = async ({ outside, db }: Running): Promise<void> => {
  await outside.drain()
  const giveUpAt = performance.now() + drainMs
  while (outside.awaited > 0 && performance.now() < giveUpAt) {
    await db.query(makeDue)
    await pause(2_000)
  }
}

/** Starts the processes of a run, and the proxy between host and database. Ends them after `use`. */
const withProcesses = async <A>(options: SoakOptions, use: (running: Running) => Promise<A>): Promise<A> => {
  const durationMs = options.minutes * 60_000
  const unitMs = Math.max(durationMs / units, minUnitMs)
  const naptimeSeconds = Math.min(Math.round(unitMs / 1_000), 60)
  const server = await startPostgres(["-c", `autovacuum_naptime=${naptimeSeconds}s`])
  const proxy = await TcpProxy.start(server.port)
  const host = new Worker<HostOrders>(`${root}/verify/dist/soak/host.js`, { execArgv: ["--expose-gc"] })
  const certificates = await makeCertificates()
  const outside = await Outside.open(options.seed, certificates)
  const db = new pg.Pool({ connectionString: `${server.url}/postgres`, max: 2 })
  try {
    const databaseUrl = `postgres://postgres:postgres@127.0.0.1:${proxy.port}/postgres`
    const setting = { ...outside.urls, databaseUrl, certificates }
    const hostUrl = await host.ask("start", setting, options.planted ?? [])
    outside.begin(hostUrl, options.rate, durationMs)
    const beganAt = performance.now()
    return await use({ host, outside, proxy, db, options, durationMs, unitMs, beganAt, failures: [] })
  } finally {
    await host.end()
    await outside.close()
    proxy.close()
    await db.end()
    await server.remove()
  }
}

/** Runs the load with its faults, and compares the final state with the promises. */
export const runSoak = (options: SoakOptions): Promise<SoakResults> =>
  withProcesses(options, async (running) => {
    const { host, outside, db, failures } = running
    const [samples, faults] = await Promise.all([takeSamples(running), makeFaults(running)])
    await drain(running)
    const { checked, violations } = await outside.verify()
    const { rows } = await db.query<{ readonly server_version: string }>("SHOW server_version")
    return {
      postgres: rows[0]?.server_version ?? "",
      samples,
      faults,
      measured: outside.latencies.readMeasured(),
      logged: await host.ask("logged"),
      checked,
      violations: [...violations, ...failures],
    }
  })
