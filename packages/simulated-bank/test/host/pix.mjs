import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix } from "@pixcharge/embed"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"

export const { bank } = await import(process.env["BANK_MODULE"])

export const shop = {
  cnpj: process.env["CNPJ"],
  name: "Minha Loja",
  city: "Recife",
  pixKey: process.env["PIX_KEY"],
  integratorKey: "the key of the shop's integrators",
  graceDays: 5,
}

export const pix = createPix({
  environment: "production",
  store: memoryStore({ inProduction: true }),
  directory: memoryDirectory({ companies: [shop] }),
  processor: bank.processor,
  notices: bank.notices,
  callbacks: callbackFetch(),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
})
