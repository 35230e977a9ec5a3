export { type SandboxProcessor, sandboxProcessor } from "./sandboxProcessor.ts"
