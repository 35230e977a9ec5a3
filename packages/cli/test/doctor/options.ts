import { callbackFetch } from "@pixcharge/callback-fetch"
import type { SandboxOptions } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"

export const options: SandboxOptions = {
  environment: "sandbox",
  store: memoryStore(),
  directory: memoryDirectory({ companies: [] }),
  processor: sandboxProcessor(),
  callbacks: callbackFetch(),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
}
