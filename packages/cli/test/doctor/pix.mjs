import { createPix } from "@pixcharge/embed"
import { options } from "./options.ts"

export default createPix(options)
