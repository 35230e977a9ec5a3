export { BootFailure } from "./BootFailure.ts"
export { createPix } from "./createPix.ts"
export type {
  CommonOptions,
  DirectoryPorts,
  PixOptions,
  ProductionOptions,
  SandboxOptions,
  StorePorts,
} from "./options.ts"
export type { EventFilter, Events, EventSelection, Pix, SandboxPix } from "./Pix.ts"
export { pixLayer, type PixServices, type SandboxServices } from "./pixLayer.ts"
