import { describe } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { exceptionCases } from "./exceptionCases.ts"

const postgres = await realPostgres()
describe("payment exceptions on Postgres", () => exceptionCases(postgres))
