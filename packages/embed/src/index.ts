export { BootFailure } from "./BootFailure.ts"
export { createPix } from "./createPix.ts"
export { InvalidFilter } from "./InvalidFilter.ts"
export type {
  CommonOptions,
  DirectoryPorts,
  HostOptions,
  PixOptions,
  ProductionOptions,
  SandboxOptions,
} from "./options.ts"
export type {
  Administration,
  Audit,
  Directory,
  EventFilter,
  Events,
  EventSelection,
  Exceptions,
  Payers,
  Pix,
  SandboxPix,
  TokenAdmin,
} from "./Pix.ts"
export { PixDisposed } from "./PixDisposed.ts"
export { pixLayer, type PixServices, type SandboxServices } from "./pixLayer.ts"
export type { TickRequest, TickResult } from "./tick.ts"
export type { ChargeStatus, PlainCharge, PlainException, PlainPayment, WithIso } from "./plain.ts"
export type { HostLogger } from "./telemetry/HostLogger.ts"
export type {
  OpenTelemetry,
  OpenTelemetryContext,
  OpenTelemetrySpan,
  OpenTelemetryTracer,
} from "./telemetry/OpenTelemetry.ts"
