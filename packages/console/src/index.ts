export { type Console, consoleFor } from "./consoleFor.ts"
export { isFromThisMachine, type Visit } from "./guard/isFromThisMachine.ts"
export type { ConsoleOptions } from "./ConsoleOptions.ts"
