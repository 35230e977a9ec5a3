import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { createPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"

const { PIX_URL = "http://127.0.0.1:3000/api/payments", PIX_TOKEN_SECRET = "" } = process.env
const { PIX_CALLBACK_URL = "", PIX_CALLBACK_SECRET = "" } = process.env

// `next build` loads this module as well, where the settings of the server that will run may be missing.
const isBuild = process.env["NEXT_PHASE"] === "phase-production-build"

export const cnpj = "12345678000195"

const makePix = () =>
  createPix({
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
        cnpj,
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
    tokens: { keys: [{ kid: "1", secret: isBuild ? "no token is issued while building" : PIX_TOKEN_SECRET }] },
  })

// Next.js loads this module once for each bundle that imports it, and again at each hot reload: they share one instance.
const shared = globalThis as typeof globalThis & { pix?: ReturnType<typeof makePix> }

export const pix = (shared.pix ??= makePix())
