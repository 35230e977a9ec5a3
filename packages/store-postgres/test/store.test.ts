import { realPostgres } from "@pixcharge/verify/postgres"
import { hostRole } from "./hostRole.ts"
import { storeSuites } from "./storeSuites.ts"

const owner = await realPostgres()
const { pool } = await hostRole(owner)

storeSuites("Postgres", pool, owner)
