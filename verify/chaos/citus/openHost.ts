import { callbackFetch } from "@pixcharge/callback-fetch"
import type { StorePorts } from "@pixcharge/core"
import { createPix, type DirectoryPorts, type SandboxPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import type * as Layer from "effect/Layer"

/** A process of the service, as far as its callers know it. */
export interface Host {
  /** Names the node that it is connected to. */
  readonly name: string
  readonly pix: SandboxPix
}

const ignore = () => undefined

/** All of pixcharge over a store and a directory, with real callbacks. That the database can't be reached now is not printed. */
export const openHost = (
  name: string,
  store: Layer.Layer<StorePorts, unknown>,
  directory: Layer.Layer<DirectoryPorts, unknown>,
): Host => ({
  name,
  pix: createPix({
    environment: "sandbox",
    store,
    directory,
    processor: sandboxProcessor(),
    callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
    tokens: { keys: [{ kid: "chaos", secret: "a secret of this load alone, known to all" }] },
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  }),
})
