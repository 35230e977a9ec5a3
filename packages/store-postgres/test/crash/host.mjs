// A host that is killed: it issues and settles charges as fast as it can, reports each answer that its callers got to its
// parent, and sends events to the parent's receiver. Run by crash.test.ts, from the built packages.
import { writeSync } from "node:fs"
import {
  CallbackDelivery,
  ChargeStore,
  EventDispatcher,
  hostDirectory,
  Outbox,
  OutboxSignal,
  parseChargeRequest,
  PaymentProcessor,
  PixCharges,
  chargeTxid,
} from "@pixcharge/core"
import { postgresStore } from "@pixcharge/store-postgres"
import { embeddedDatabase } from "@pixcharge/store-postgres/pglite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import pg from "pg"

const [mode, database, receiver] = process.argv.slice(2)
const issuer = "12345678000195"

const company = {
  cnpj: issuer,
  name: "Padaria Aurora Ltda",
  city: "São Paulo",
  pixKey: issuer,
  graceDays: 5,
}
const endpoint = { id: "loja", url: receiver, secrets: ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="], kinds: ["paid"] }

const directory = hostDirectory({
  companies: { find: async () => company, byPixKey: async () => company },
  endpoints: { forCompany: async () => [endpoint], find: async () => endpoint, setStatus: async () => {} },
})

const processor = Layer.succeed(
  PaymentProcessor,
  PaymentProcessor.of({
    locality: "local",
    register: ({ txid, requestedAt }) => Effect.succeed({ txid, brCode: `pix/${txid}`, createdAt: requestedAt }),
    lookup: () => Effect.succeed({ status: "unknown", payments: [], returns: [] }),
    cancel: () => Effect.succeed({ _tag: "Cancelled" }),
    refund: () => Effect.succeed({ _tag: "Processing" }),
    lookupRefund: () => Effect.succeed(undefined),
    payments: () => Effect.succeed({ items: [] }),
  }),
)

const delivery = Layer.succeed(
  CallbackDelivery,
  CallbackDelivery.of({
    deliver: (event, { target }) =>
      Effect.tryPromise(() => fetch(target.url, { method: "POST", body: JSON.stringify(event) })).pipe(
        Effect.map(({ status }) => ({ _tag: "Delivered", status })),
        Effect.catch(() => Effect.succeed({ _tag: "Retry", reason: "no answer" })),
      ),
  }),
)

// Written at once and as a whole: what the parent has read was answered before the kill.
const report = (...words) => writeSync(1, `${words.join(" ")}\n`)

const endToEndId = () => `E${crypto.randomUUID().replaceAll("-", "").slice(1)}`

const sale = Effect.gen(function* () {
  const charges = yield* PixCharges
  const request = Result.getOrThrow(parseChargeRequest({ id: crypto.randomUUID(), amountCents: 1990 }))
  const charge = yield* charges.issue(issuer, request)
  report("issued", charge.id, charge.transactionId)
  const paid = endToEndId()
  yield* charges.confirmPayment({
    issuer,
    txid: chargeTxid(charge.id),
    endToEndId: paid,
    amountCents: charge.amountCents,
    paidAt: Date.now(),
  })
  report("paid", charge.id, paid)
})

const selling = Effect.all(
  Array.from({ length: 16 }, () => Effect.forever(sale)),
  { concurrency: "unbounded" },
)

const draining = Effect.gen(function* () {
  const outbox = yield* Outbox
  while ((yield* outbox.depth).waiting > 0) yield* Effect.sleep(50)
})

const checking = Effect.gen(function* () {
  const store = yield* ChargeStore
  for (const id of database === undefined ? [] : process.env.CHARGES.split(",")) {
    const charge = yield* store.find(issuer, id)
    report("found", id, charge?._tag, charge?.transactionId, charge?.payment?.endToEndId)
  }
})

const db = database.startsWith("postgres:")
  ? new pg.Pool({ connectionString: database })
  : (await embeddedDatabase(database)).db

const live = EventDispatcher.layer.pipe(
  Layer.provideMerge(PixCharges.layer),
  Layer.provideMerge(Layer.mergeAll(OutboxSignal.layer, directory, processor, delivery, postgresStore({ db }))),
)
report("ready")
await Effect.runPromise(Effect.provide(mode === "sell" ? selling : mode === "drain" ? draining : checking, live))
process.exit(0)
