const { callbackFetch } = require("@pixcharge/callback-fetch")
const { checkout } = require("@pixcharge/checkout")
const { createPix } = require("@pixcharge/embed")
const { sandboxProcessor } = require("@pixcharge/processor-sandbox")
const { memoryStore } = require("@pixcharge/store-memory")

const { PIX_URL = "http://127.0.0.1:3000/payments", PIX_TOKEN_SECRET = "" } = process.env
const { PIX_CALLBACK_URL = "", PIX_CALLBACK_SECRET = "" } = process.env

const cnpj = "12345678000195"

const pix = createPix({
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
  tokens: { keys: [{ kid: "1", secret: PIX_TOKEN_SECRET }] },
})

module.exports = { cnpj, pix }
