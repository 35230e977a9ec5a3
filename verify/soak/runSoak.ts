import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { Chaos, own } from "../chaos/Chaos.ts"
import { openServer } from "../chaos/database/openServer.ts"
import { databaseUrl, type Release } from "../chaos/hosts/Hosts.ts"
import { type SoakSample, sampleDatabase } from "./sample.ts"

export interface SoakOptions {
  readonly minutes: number
  readonly seed: number
  /** How many callers each handle one charge after another. */
  readonly callers: number
  /** The host's program; by default the working tree's. */
  readonly release?: Release
  readonly onSample?: (sample: SoakSample) => void
}

/** The number of samples of a run. After every fifth, all connections are cut. */
const units = 60
const unitsBetweenCuts = 5

/** Vacuums as often as samples are taken, at most once a minute. */
const setNaptime = async (db: pg.Pool, unitMs: number): Promise<void> => {
  await db.query(`ALTER SYSTEM SET autovacuum_naptime = ${Math.min(Math.max(Math.round(unitMs / 1_000), 1), 60)}`)
  await db.query("SELECT pg_reload_conf()")
}

const takeSamples = async (chaos: Chaos, db: pg.Pool, { minutes, onSample }: SoakOptions) => {
  const unitMs = (minutes * 60_000) / units
  const beganAt = performance.now()
  const samples: Array<SoakSample> = []
  await setNaptime(db, unitMs)
  for (let unit = 1; unit <= units; unit++) {
    await pause(Math.max(beganAt + unit * unitMs - performance.now(), 0))
    const [host] = chaos.hosts.serving
    if (host === undefined) throw new Error("the host has ended")
    const sample = {
      atMs: performance.now() - beganAt,
      host: await host.sample(),
      database: await sampleDatabase(db),
      issued: chaos.callers.calls.sales.length,
    }
    samples.push(sample)
    onSample?.(sample)
    if (unit % unitsBetweenCuts === 0) await chaos.strike("cut")
  }
  return samples
}

/** Runs the callers of chaos against one host and samples it. `use` takes the samples while all still runs. */
export const runSoak = async <A>(
  options: SoakOptions,
  use: (samples: ReadonlyArray<SoakSample>, chaos: Chaos) => A | Promise<A>,
): Promise<A> => {
  const database = await openServer()
  const chaos = await Chaos.open({ database, seed: options.seed })
  const db = new pg.Pool({ connectionString: databaseUrl((database.targets[0] as { readonly port: number }).port) })
  try {
    await chaos.start(options.release ?? own)
    chaos.callers.start(options.callers)
    return await use(await takeSamples(chaos, db, options), chaos)
  } finally {
    await db.end()
    await chaos.close()
  }
}
