import { options } from "./options.ts"

const { store, processor, tokens } = options
export const mistaken = { environment: "sandbox", store, processor, tokens }
