export { demonstrationCnpj, demonstrationKey } from "./company.ts"
export { runHost } from "./runHost.ts"
export { type RunningHost, startHost } from "./startHost.ts"
