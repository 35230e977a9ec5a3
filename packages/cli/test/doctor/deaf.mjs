import { apiPix } from "@pixcharge/processor-api-pix"
import { memoryStore } from "@pixcharge/store-memory"
import { options } from "./options.ts"

const { processor } = apiPix({ companies: {}, noticeSecrets: ["a secret of the webhook's addresses"] })

/** @type {object} */
export const optionsAlone = {
  ...options,
  environment: "production",
  store: memoryStore({ inProduction: true }),
  processor,
}
