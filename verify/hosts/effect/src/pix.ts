import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { parseCnpj } from "@pixcharge/core/party"
import { pixLayer } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { Config, Console, Effect, Layer, Option, Redacted, Result } from "effect"

export const shop = Result.getOrThrow(parseCnpj("12345678000195"))

const readCallback = Effect.gen(function* () {
  const url = yield* Config.option(Config.String("PIX_CALLBACK_URL"))
  if (Option.isNone(url)) return {}
  const secret = yield* Config.Redacted("PIX_CALLBACK_SECRET")
  return { callback: { url: url.value, secrets: [Redacted.value(secret)] } }
})

const makePix = Effect.gen(function* () {
  const url = yield* Config.String("PIX_URL").pipe(Config.withDefault("http://127.0.0.1:3000/payments"))
  return pixLayer({
    environment: "sandbox",
    store: memoryStore(),
    processor: sandboxProcessor(),
    // The payers' pages.
    checkout: checkout({ url }),
    onEvent: (event) => (event.kind === "paid" ? Console.log("paid", event.payment.chargeId) : Effect.void),
    companies: [
      {
        cnpj: shop,
        name: "Minha Loja",
        city: "Recife",
        pixKey: "loja@example.com",
        graceDays: 5,
        // For systems that call the HTTP contract, and hear of payments by callback.
        integratorKey: "chave-da-loja",
        ...(yield* readCallback),
      },
    ],
    // Callbacks may go to a receiver on your own machine: for the sandbox only.
    callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
    tokens: { keys: [{ kid: "1", secret: yield* Config.Redacted("PIX_TOKEN_SECRET") }] },
  })
})

export const PixLive = Layer.unwrap(makePix)
