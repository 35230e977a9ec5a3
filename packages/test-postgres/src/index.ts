export { freePort } from "./freePort.ts"
export { type RealServer, startPostgres } from "./startPostgres.ts"
