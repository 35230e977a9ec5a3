export { type Console, consoleFor } from "./consoleFor.ts"
export { isFromThisMachine, type Visit } from "./isFromThisMachine.ts"
export type { ConsoleOptions } from "./context/ConsoleContext.ts"
