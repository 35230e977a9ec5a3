import { createPix, type SandboxPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"

const makePix = (): SandboxPix =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    companies: [
      {
        cnpj: "12345678000195",
        name: "Padaria do Porto",
        city: "Porto Alegre",
        pixKey: "padaria@example.com",
        integratorKey: "chave-da-padaria",
      },
    ],
    processor: sandboxProcessor(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  })

// A development server loads this module again after each change: one instance serves all loads.
const kept = globalThis as { pix?: SandboxPix }
export const pix = (kept.pix ??= makePix())

// The handlers of a Next.js route file, `app/api/payments/[...path]/route.ts`.
const handle = pix.fetchAt("/api/payments")
export const GET = handle
export const POST = handle
export const DELETE = handle
