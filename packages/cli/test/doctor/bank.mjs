import { createPix } from "@pixcharge/embed"
import { apiPix, standardProfile } from "@pixcharge/processor-api-pix"
import { memoryStore } from "@pixcharge/store-memory"
import { options } from "./options.ts"

const bank = apiPix({
  companies: {
    12345678000195: {
      stage: process.env["WALKED_STAGE"],
      profile: standardProfile,
      baseUrl: process.env["WALKED_BANK"],
      clientId: "client",
      clientSecret: "secret",
      fetch,
    },
  },
})

export const pix = createPix({
  ...options,
  environment: "production",
  store: memoryStore({ inProduction: true }),
  processor: bank.processor,
})
