import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"

export const pix = createPix({
  environment: "sandbox",
  store: memoryStore(),
  directory: memoryDirectory({
    companies: [
      {
        cnpj: "12345678000195",
        name: "Padaria do Porto",
        city: "Porto Alegre",
        pixKey: "padaria@example.com",
        integratorKey: "chave-da-padaria",
        graceDays: 5,
      },
    ],
  }),
  processor: sandboxProcessor(),
  callbacks: callbackFetch(),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
})

// The handlers of a route file as Next.js has them, below `app/api/[...path]/route.ts`.
export const GET = pix.fetch
export const POST = pix.fetch
export const DELETE = pix.fetch
