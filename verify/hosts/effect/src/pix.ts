import { callbackFetch } from "@pixcharge/callback-fetch"
import { parseCnpj } from "@pixcharge/core/party"
import { pixLayer } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { Result } from "effect"

const { PIX_TOKEN_SECRET = "", PIX_CALLBACK_URL = "", PIX_CALLBACK_SECRET = "" } = process.env

export const shop = Result.getOrThrow(parseCnpj("12345678000195"))

export const PixLive = pixLayer({
  environment: "sandbox",
  store: memoryStore(),
  companies: [
    {
      cnpj: shop,
      name: "Minha Loja",
      city: "Recife",
      pixKey: "loja@example.com",
      integratorKey: "chave-da-loja",
      graceDays: 5,
      ...(PIX_CALLBACK_URL !== "" && { callback: { url: PIX_CALLBACK_URL, secrets: [PIX_CALLBACK_SECRET] } }),
    },
  ],
  processor: sandboxProcessor(),
  // Events may go to a receiver on your own machine: for the sandbox only.
  callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
  tokens: { keys: [{ kid: "1", secret: PIX_TOKEN_SECRET }] },
})
