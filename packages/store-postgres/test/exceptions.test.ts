import { describe } from "vitest"
import { exceptionCases } from "./exceptionCases.ts"
import { realPostgres } from "./realPostgres.ts"

const postgres = await realPostgres()
describe("payment exceptions on Postgres", () => exceptionCases(postgres))
