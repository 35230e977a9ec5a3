import { parseCnpj } from "@pixcharge/core/party"
import { pixLayer } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { Result } from "effect"

/** A `Cnpj` is a text that was checked once; the services take nothing else. */
export const shop = Result.getOrThrow(parseCnpj("12345678000195"))

/** pixcharge as one Layer: its services for the host's own programs, and all that runs in the background. */
export const PixLive = pixLayer({
  environment: "sandbox",
  store: memoryStore(),
  companies: [{ cnpj: shop, name: "Livraria Efeito", city: "Olinda", pixKey: "livraria@example.com" }],
  processor: sandboxProcessor(),
})
