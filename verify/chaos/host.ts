// A host under chaos: pixcharge over Postgres or Citus and API Pix, in its own process. It also runs on older releases,
// so it uses only the API that all of them have (docs/upgrading.md).
import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix, type Pix } from "@pixcharge/embed"
import { apiPix } from "@pixcharge/processor-api-pix"
import { postgresDirectory, postgresStore } from "@pixcharge/store-postgres"
import { readdirSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import pg from "pg"
import { serveOrders } from "../world/Worker.ts"

export interface HostSetting {
  readonly store: "postgres" | "citus" | "embedded"
  /** The URL of the database or of a proxy, or the folder of an embedded database. */
  readonly url: string
  readonly schema: string
  readonly isPassive?: boolean
  readonly bank: string
  readonly companies: ReadonlyArray<{ readonly cnpj: string; readonly clientId: string; readonly clientSecret: string }>
}

export type Outcome = { readonly answer: unknown } | { readonly tag: string; readonly message: string }

const quiet = (): void => undefined
const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const secret = "a secret of hosts that are killed"
const ring = [{ kid: "1", secret }] as const

let pool: pg.Pool
let pix: Pix

const openDatabase = async ({ store, url }: HostSetting) => {
  if (store === "embedded") {
    const { embeddedDatabase } = await import("@pixcharge/store-postgres/pglite")
    return (await embeddedDatabase(url)).db
  }
  pool = new pg.Pool({ connectionString: url, max: 8 })
  pool.on("error", quiet)
  return pool
}

const openStore = async (setting: HostSetting) => {
  const { store, schema } = setting
  const db = await openDatabase(setting)
  if (store !== "citus") return { db, store: postgresStore({ db, schema }) }
  const { citusStore } = await import("@pixcharge/store-citus")
  return { db, store: await citusStore({ db, schema, migrations: "check" }) }
}

const start = async (setting: HostSetting): Promise<void> => {
  const { bank, companies, schema, isPassive = false } = setting
  const { db, store } = await openStore(setting)
  const connected = companies.map(
    ({ cnpj, clientId, clientSecret }) => [cnpj, { baseUrl: bank, clientId, clientSecret, fetch }] as const,
  )
  const psp = apiPix({ companies: Object.fromEntries(connected), noticeSecrets: [secret] })
  pix = createPix({
    environment: "production",
    store,
    directory: postgresDirectory({ db, schema, pepper: ring, sealingKey: ring }),
    processor: psp.processor,
    notices: psp.notices,
    callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
    tokens: { keys: ring },
    logger,
    ...(isPassive && { background: false }),
  })
  await pix.ready().catch(quiet)
}

type Method = (...args: ReadonlyArray<unknown>) => Promise<unknown>
interface Methods {
  readonly [name: string]: Methods & Method
}

const call = async (path: string, args: ReadonlyArray<unknown>): Promise<Outcome> => {
  try {
    const names = path.split(".")
    const target = names.slice(0, -1).reduce((of, name) => of[name] as Methods, pix as unknown as Methods)
    return { answer: await target[names.at(-1) as string]?.(...args) }
  } catch (error) {
    const { _tag, name, message } = error as Error & { readonly _tag?: string }
    return { tag: _tag ?? name, message }
  }
}

const pointTo = (port: number): void => {
  const { options } = pool
  Object.assign(options, {
    connectionString: undefined,
    host: "127.0.0.1",
    port,
    user: "postgres",
    database: "postgres",
  })
}

const dispose = (): Promise<void> => pix.dispose()

export interface HostSample {
  /** The used JavaScript heap after a garbage collection. */
  readonly heapBytes: number
  readonly rssBytes: number
  /** Timers, sockets and other resources that keep a process alive. */
  readonly handles: number
  readonly descriptors: number
}

const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc")
  ;(runInNewContext("gc") as () => void)()
}

const sample = (): HostSample => {
  collectGarbage()
  const { heapUsed: heapBytes, rss: rssBytes } = process.memoryUsage()
  const handles = process.getActiveResourcesInfo().length
  return { heapBytes, rssBytes, handles, descriptors: readdirSync("/dev/fd").length }
}

const orders = { start, call, pointTo, dispose, sample }

export type HostOrders = typeof orders

serveOrders(orders)
