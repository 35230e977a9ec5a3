import type { KeyRing, StorePorts } from "@pixcharge/core"
import { type Connection, postgresDirectory } from "@pixcharge/store-postgres"
import type * as Layer from "effect/Layer"
import { cnpjs } from "./cnpjs.ts"
import { makeLedger } from "./Ledger.ts"
import { type Host, openHost } from "./openHost.ts"
import { openReceiver } from "./openReceiver.ts"
import { type Load, startLoad } from "./startLoad.ts"

/** Where one host's database is, and the store over it. */
export interface HostOptions {
  readonly name: string
  readonly db: Connection
  readonly store: Layer.Layer<StorePorts, unknown>
}

const pepper: KeyRing = [{ kid: "chaos", secret: "a pepper of this load alone, known to all" }]
const sealingKey: KeyRing = [{ kid: "chaos", secret: "a sealing key of this load alone, known to all" }]
const secrets = ["whsec_c2VncmVkby1kZS10ZXN0ZS1jb20tMzItYnl0ZXMtISE="]

const register = async ({ pix }: Host, issuers: ReadonlyArray<string>, url: string): Promise<void> => {
  for (const [index, cnpj] of issuers.entries()) {
    await pix.directory.putCompany({
      cnpj,
      name: `Loja ${index}`,
      city: "Recife",
      pixKey: cnpj,
      graceDays: 5,
      callback: { url, secrets, kinds: ["paid", "refunded"] },
    })
  }
}

/** After a failure a queue's lease may have to end first, which takes 30 s. */
const drainMs = 120_000

/**
 * Hosts over the databases of one schema, companies that sell there, their receiver, and the ledger of it all. The schema must
 * have its tables.
 */
export const openWorld = async (schema: string, nodes: ReadonlyArray<HostOptions>, companies: number) => {
  const ledger = makeLedger()
  const receiver = await openReceiver(ledger)
  const issuers = cnpjs(companies)
  const hosts = nodes.map(({ name, db, store }) =>
    openHost(name, store, postgresDirectory({ db, schema, migrations: "check", pepper, sealingKey })),
  )
  await Promise.all(hosts.map(({ pix }) => pix.ready()))
  await register(hosts[0] as Host, issuers, receiver.url)

  const waiting = async (): Promise<number> => {
    try {
      return (await (hosts[0] as Host).pix.events.backlog()).waiting
    } catch {
      return Infinity
    }
  }

  return {
    ledger,
    issuers,
    sell: (pauseMs: number): Load => startLoad(ledger, { hosts, issuers, pauseMs }),
    /** Waits until no event waits, for two minutes at most. */
    drain: async (): Promise<void> => {
      const until = performance.now() + drainMs
      while ((ledger.waiting = await waiting()) > 0 && performance.now() < until) {
        await new Promise((resume) => void setTimeout(resume, 100))
      }
    },
    close: async () => {
      await Promise.all(hosts.map(({ pix }) => pix.dispose()))
      await receiver.close()
    },
  }
}
