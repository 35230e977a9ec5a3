export { type Console, consoleFor } from "./consoleFor.ts"
export type { ConsoleOptions } from "./ConsoleOptions.ts"
