import type { ChargeId } from "@pixcharge/core/charges"
import { parseCnpj } from "@pixcharge/core/party"
import { pixLayer } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { Context, Effect, Layer, Queue, Result } from "effect"

/** The services take only a `Cnpj`: a checked string. */
export const shop = Result.getOrThrow(parseCnpj("12345678000195"))

/** The ids of paid charges, as their events arrive. */
export class Paid extends Context.Service<Paid, Queue.Queue<ChargeId>>()("bookshop/Paid") {
  static readonly layer = Layer.effect(Paid, Queue.unbounded<ChargeId>())
}

/** pixcharge as one Layer: its services for the host's own programs, and its background work, which a test switches off. */
export const makePix = (options: { readonly background?: false } = {}) =>
  pixLayer({
    environment: "sandbox",
    store: memoryStore(),
    companies: [{ cnpj: shop, name: "Livraria Efeito", city: "Olinda", pixKey: "livraria@example.com" }],
    processor: sandboxProcessor(),
    onEvent: Effect.fn("onEvent")(function* (event) {
      if (event.kind === "paid") yield* Queue.offer(yield* Paid, event.payment.chargeId)
    }),
    ...options,
  })
