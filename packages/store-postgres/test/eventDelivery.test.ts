import { describe } from "vitest"
import { eventDeliveryOn } from "./eventDeliveryOn.ts"
import { realPostgres } from "./realPostgres.ts"

const pool = await realPostgres()
describe("the long runs", { tags: ["long"] }, () => eventDeliveryOn("Postgres", pool))
