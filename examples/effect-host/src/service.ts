import { pixLayer } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"

/** pixcharge as one Layer: its services for the host's own programs, and all that runs in the background. */
export const PixService = pixLayer({
  environment: "sandbox",
  store: memoryStore(),
  companies: [{ cnpj: "12345678000195", name: "Livraria Efeito", city: "Olinda", pixKey: "livraria@example.com" }],
  processor: sandboxProcessor(),
})
