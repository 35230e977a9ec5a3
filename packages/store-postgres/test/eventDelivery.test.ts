import { describe } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { eventDeliveryOn } from "./eventDeliveryOn.ts"

const pool = await realPostgres()
describe("the long runs", { tags: ["long"] }, () => eventDeliveryOn("Postgres", pool))
