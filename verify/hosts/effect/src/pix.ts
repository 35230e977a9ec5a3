import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { parseCnpj } from "@pixcharge/core/party"
import { pixLayer } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { Result } from "effect"

const { PIX_URL = "http://127.0.0.1:3000/payments", PIX_TOKEN_SECRET = "" } = process.env
const { PIX_CALLBACK_URL = "", PIX_CALLBACK_SECRET = "" } = process.env

export const shop = Result.getOrThrow(parseCnpj("12345678000195"))

export const PixLive = pixLayer({
  environment: "sandbox",
  store: memoryStore(),
  processor: sandboxProcessor(),
  // The payers' pages.
  checkout: checkout({ url: PIX_URL }),
  onEvent: async (event) => {
    if (event.kind === "paid") console.log("paid", event.payment.chargeId)
  },
  companies: [
    {
      cnpj: shop,
      name: "Minha Loja",
      city: "Recife",
      pixKey: "loja@example.com",
      graceDays: 5,
      // For systems that call the HTTP contract, and hear of payments by callback.
      integratorKey: "chave-da-loja",
      ...(PIX_CALLBACK_URL !== "" && { callback: { url: PIX_CALLBACK_URL, secrets: [PIX_CALLBACK_SECRET] } }),
    },
  ],
  // Callbacks may go to a receiver on your own machine: for the sandbox only.
  callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
  tokens: { keys: [{ kid: "1", secret: PIX_TOKEN_SECRET }] },
})
