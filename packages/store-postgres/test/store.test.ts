import { realPostgres } from "./realPostgres.ts"
import { storeSuites } from "./storeSuites.ts"

storeSuites("Postgres", await realPostgres())
