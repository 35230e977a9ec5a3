// What the tests of a store need on one Postgres.
export { directorySuitesAt, secrets } from "../../store-postgres/test/directorySuites.ts"
export { eventDeliveryAt } from "../../store-postgres/test/eventDeliveryOn.ts"
export { realPostgres } from "../../store-postgres/test/realPostgres.ts"
export { storeHooks } from "../../store-postgres/test/storeHooks.ts"
export { until, waitMs } from "../../store-postgres/test/waiting.ts"
export { migrateBy } from "../../store-postgres/src/schema/migrate.ts"
export { migrations } from "../../store-postgres/src/schema/migrations.ts"
