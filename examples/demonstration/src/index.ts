export { demonstrationCnpj, demonstrationKey } from "./company.ts"
export { openRequest } from "./openRequest.ts"
export { type HostApps, runHost } from "./runHost.ts"
export { type RunningHost, startHost } from "./startHost.ts"
