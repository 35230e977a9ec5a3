import { CallbackEndpoints, type Endpoint, EventDispatcher, OutboxSignal, PixCharges } from "@pixcharge/core"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { type ChargeId, chargeEventId } from "@pixcharge/core/charge"
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
import { benchSecret, type MakeContender, steadyMs } from "./Contender.ts"

/** As many endpoints as four deliveries at once to each make the peers' 64. */
const endpointCount = 16

/** One endpoint each. */
const issuers = Array.from({ length: endpointCount }, (_, index) => companyCnpj(index + 1))

const companies = issuers.map((cnpj, index) => ({
  cnpj,
  name: "Loja",
  city: "Recife",
  pixKey: `loja-${index}@example.com`,
  integratorKey: "the key of the bench",
  graceDays: 1,
}))

/** pixcharge as its users run it: dispatcher, Postgres store, guarded transport. */
export const ours: MakeContender = async (databaseUrl, receiverUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const endpoints = issuers.map((issuer, index): Endpoint => ({
    id: issuer,
    target: { _tag: "Http", url: `${receiverUrl}/${index}`, secrets: [Redacted.make(benchSecret)] },
    kinds: ["paid"],
    status: "enabled",
  }))
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  let commits = 0
  const ports = PixCharges.layer.pipe(
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
        postgresStore({ db: pool }),
        memoryDirectory({ companies }),
        sandboxProcessor(),
        callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
      ),
    ),
  )
  const runtime = ManagedRuntime.make(ports)
  const context = await runtime.context()
  const charges = Context.get(context, PixCharges)

  /** Issues a charge and records its payment: the commit puts its event into the outbox of one endpoint. */
  const commitOne = Effect.fnUntraced(function* () {
    const number = commits++
    const issuer = issuers[number % endpointCount] as Cnpj
    const charge = yield* charges.issue(issuer, { id: crypto.randomUUID() as ChargeId, amountCents: 1990 as Cents })
    const endToEndId = `E12345678202607011200${String(number).padStart(12, "0")}`
    const paidAt = Date.now()
    yield* charges.confirmPayment({ issuer, txid: charge.txid, endToEndId, amountCents: charge.amountCents, paidAt })
    return { id: chargeEventId(charge, "paid"), at: steadyMs() }
  })

  return {
    fill: (count) =>
      runtime.runPromise(Effect.forEach(Array.from({ length: count }), commitOne, { concurrency: 256, discard: true })),
    start: async () => {
      // Until the process ends.
      const dispatching = ManagedRuntime.make(EventDispatcher.layer.pipe(Layer.provide(Layer.succeedContext(context))))
      await dispatching.context()
    },
    delivered: async () => {
      const { rows } = await pool.query("SELECT count(*)::int AS delivered FROM pixcharge.settled_deliveries")
      return (rows[0] as { delivered: number }).delivered
    },
    commit: () => runtime.runPromise(commitOne()),
  }
}
