import {
  type CallbackDelivery,
  type CallbackEndpoints,
  type ChargeArchive,
  type ChargeStore,
  type CompanyDirectory,
  type Outbox,
  OutboxSignal,
  PixCharges,
} from "@pixcharge/core"
import { callbackFetch } from "@pixcharge/callback-fetch"
import type { ChargeId, PaidCharge } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory } from "@pixcharge/store-memory"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { trustedCertificate } from "../callbackDelivery/certificates.ts"
import { aSecret } from "../callbackDelivery/DeliveryDriver.ts"
import { aChargeId, cents } from "../fixtures/Charges.ts"
import { aNotice } from "../fixtures/Payments.ts"
import { cnpj } from "../fixtures/Companies.ts"
import type { StorePorts } from "../suites/StoreDriver.ts"
import type { ShiftableClock } from "./ShiftableClock.ts"

/** The companies of the world; each has its own endpoint, and the reseller has one for all of them. */
export const issuers: ReadonlyArray<Cnpj> = ["12345678000195", "11222333000181", "12ABC34501DE35"].map(cnpj)

const reseller = "00000000000191"

/** The endpoints of the world. */
export const endpointIds: ReadonlyArray<string> = [...issuers, reseller].map((owner) => `callback-${owner}`)

const callbackAt = (url = "https://receiver.invalid/") => ({
  url,
  secrets: [aSecret],
  kinds: ["paid", "refunded"] as const,
})

/** Where each endpoint's receiver listens: one for each issuer in order, and the reseller's last. */
export const eventDirectory = (urls: ReadonlyArray<string>) =>
  memoryDirectory({
    resellers: [{ cnpj: reseller, name: "Revenda", integratorKey: "chave", callback: callbackAt(urls.at(-1)) }],
    companies: issuers.map((issuer, index) => ({
      cnpj: issuer,
      name: `Loja ${index}`,
      city: "Recife",
      pixKey: `loja${index}@example.com`,
      graceDays: 1,
      reseller,
      callback: callbackAt(urls[index]),
    })),
  })

export type EventPorts =
  | ChargeStore
  | Outbox
  | ChargeArchive
  | CallbackEndpoints
  | CallbackDelivery
  | CompanyDirectory
  | PixCharges
  | OutboxSignal

/** A store with all around it but a dispatcher, on a clock that the test puts forward. */
export const eventPorts = (
  store: Layer.Layer<StorePorts, unknown>,
  urls: ReadonlyArray<string>,
  clock: ShiftableClock,
): Layer.Layer<EventPorts, unknown> =>
  PixCharges.layer.pipe(
    Layer.provideMerge(OutboxSignal.layer),
    Layer.provideMerge(sandboxProcessor()),
    Layer.provideMerge(
      Layer.mergeAll(
        store,
        eventDirectory(urls),
        callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any", ca: trustedCertificate.cert }),
        Layer.succeed(Clock.Clock, clock),
      ),
    ),
  )

/** A charge that is issued and paid at once. */
export const paidCharge = Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId = aChargeId()) {
  const charges = yield* PixCharges
  const charge = yield* charges.issue(issuer, { id, amountCents: cents(1990) })
  const paid = yield* charges.confirmPayment(aNotice(charge, { paidAt: yield* Clock.currentTimeMillis }))
  return paid as PaidCharge
})
