export { demonstrationCnpj, demonstrationKey } from "./company.ts"
export { openRequest } from "./openRequest.ts"
export { runHost } from "./runHost.ts"
export { type RunningHost, startHost } from "./startHost.ts"
