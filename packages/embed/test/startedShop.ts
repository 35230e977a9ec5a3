import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { createPix } from "../src/index.ts"

export const shop = "12345678000195"

/** Makes a sandbox with one company, without background work. */
export const started = () =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({
      companies: [
        { cnpj: shop, name: "Loja", city: "Recife", pixKey: shop, graceDays: 5, integratorKey: "chave da loja" },
      ],
    }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
    onEvent: () => undefined,
    background: false,
  })
