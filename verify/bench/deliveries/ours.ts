import { CallbackEndpoints, EventDispatcher, OutboxSignal, PixCharges } from "@pixcharge/core"
import type { Endpoint } from "@pixcharge/core/directory"
import { callbackFetch } from "@pixcharge/callback-fetch"
import type { Charge, ChargeId } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory } from "@pixcharge/store-memory"
import { postgresStore } from "@pixcharge/store-postgres"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import pg from "pg"
import { companyCnpj } from "../companyCnpj.ts"
import { benchSecret, bounds, type MakeContender } from "./Contender.ts"

/** The number of endpoints that reaches the total limit, because each has four concurrent deliveries. */
const endpointCount = bounds.posts / 4

const issuers = Array.from({ length: endpointCount }, (_, index) => companyCnpj(index + 1))

const companies = issuers.map((cnpj, index) => ({
  cnpj,
  name: "Loja",
  city: "Recife",
  pixKey: `loja-${index}@example.com`,
  integratorKey: "the key of the bench",
  graceDays: 1,
}))

const openPorts = (db: pg.Pool, endpoints: ReadonlyArray<Endpoint>) => {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  return PixCharges.layer.pipe(
    Layer.provideMerge(OutboxSignal.layer),
    Layer.provideMerge(
      Layer.succeed(CallbackEndpoints, {
        forCompany: (issuer) => Effect.sync(() => endpoints.filter(({ id }) => id === issuer)),
        find: (id) => Effect.sync(() => byId.get(id)),
        setStatus: () => Effect.void,
      }),
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        postgresStore({ db }),
        memoryDirectory({ companies }),
        sandboxProcessor(),
        callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
      ),
    ),
  )
}

export const ours: MakeContender = async (databaseUrl, receiverUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: bounds.connections })
  const endpoints = issuers.map((issuer, index): Endpoint => ({
    id: issuer,
    target: { _tag: "Http", url: `${receiverUrl}/${index}`, secrets: [Redacted.make(benchSecret)] },
    kinds: ["paid"],
    status: "enabled",
  }))
  let issues = 0
  let payments = 0
  const runtime = ManagedRuntime.make(openPorts(pool, endpoints))
  const context = await runtime.context()
  const charges = Context.get(context, PixCharges)

  const issueOne = Effect.suspend(() => {
    const issuer = issuers[issues++ % endpointCount] as Cnpj
    return charges.issue(issuer, { id: crypto.randomUUID() as ChargeId, amountCents: 1990 as Cents })
  })

  const pay = ({ issuer, txid, amountCents }: Charge) => {
    const endToEndId = `E12345678202607011200${String(payments++).padStart(12, "0")}`
    return charges.confirmPayment({ issuer, txid, endToEndId, amountCents, paidAt: Date.now() })
  }

  return {
    fill: async (count) => {
      const sold = Array.from({ length: count }, () => Effect.flatMap(issueOne, pay))
      await runtime.runPromise(Effect.all(sold, { concurrency: 256, discard: true }))
    },
    start: async () => {
      // The dispatcher runs until the process ends.
      const dispatching = ManagedRuntime.make(EventDispatcher.layer.pipe(Layer.provide(Layer.succeedContext(context))))
      await dispatching.context()
    },
    countDelivered: async () => {
      const { rows } = await pool.query("SELECT count(*)::int AS delivered FROM pixcharge.settled_deliveries")
      return (rows[0] as { delivered: number }).delivered
    },
  }
}
