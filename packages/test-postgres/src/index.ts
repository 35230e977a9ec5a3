export { freePort } from "./freePort.ts"
export { embeddedPostgres, installedPostgres, type PostgresPrograms, serverUser } from "./programs.ts"
export { type RealServer, startPostgres } from "./startPostgres.ts"
