export { BootFailure } from "./BootFailure.ts"
export { createPix } from "./createPix.ts"
export type { CommonOptions, ProductionOptions, SandboxOptions } from "./options.ts"
export type { Directory, EventFilter, Events, EventSelection, Pix, SandboxPix } from "./Pix.ts"
