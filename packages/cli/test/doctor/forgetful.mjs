import { createPix } from "@pixcharge/embed"
import { options } from "./options.ts"

export const pix = createPix({ ...options, environment: "production" })
