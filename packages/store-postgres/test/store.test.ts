import { hostRole } from "./hostRole.ts"
import { realPostgres } from "./realPostgres.ts"
import { storeSuites } from "./storeSuites.ts"

const owner = await realPostgres()
const { pool } = await hostRole(owner)

storeSuites("Postgres", pool, owner)
