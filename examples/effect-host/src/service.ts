import { callbackFetch } from "@pixcharge/callback-fetch"
import { pixLayer } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"

/** pixcharge as one Layer: its services for the host's own programs, and all that runs in the background. */
export const PixService = pixLayer({
  environment: "sandbox",
  store: memoryStore(),
  directory: memoryDirectory({
    companies: [
      {
        cnpj: "12345678000195",
        name: "Livraria Efeito",
        city: "Olinda",
        pixKey: "livraria@example.com",
        integratorKey: "chave-da-livraria",
        graceDays: 3,
      },
    ],
  }),
  processor: sandboxProcessor(),
  callbacks: callbackFetch(),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
})
