export { type SandboxBank, sandboxBank } from "./sandboxBank.ts"
export { type SandboxProcessor, sandboxProcessor } from "./sandboxProcessor.ts"
