import { createPix, type SandboxPix } from "@pixcharge/embed"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { openAdapters } from "./adapters.ts"
import { register } from "./company.ts"
import { pepper, tokenSecret } from "./secrets.ts"
import { type Settings, readSettings } from "./settings.ts"
import { whatToTry } from "./whatToTry.ts"

const address = "127.0.0.1"
const disposeLimitMs = 500

const listening = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, address, () => resolve((server.address() as AddressInfo).port))
  })

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** Opens everything, or closes again what was opened before something failed. */
const start = async (settings: Settings, startServer: (pix: SandboxPix) => Server) => {
  const closers: Array<() => Promise<unknown>> = []
  const close = async () => {
    for (const closing of closers.toReversed()) await closing()
  }
  try {
    const adapters = await openAdapters(settings)
    closers.push(adapters.close)
    const pix = createPix({
      environment: "sandbox",
      store: adapters.store,
      directory: adapters.directory,
      processor: sandboxProcessor(),
      // A sandbox may send events to a receiver on the developer's own machine.
      callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
      tokens: { keys: [{ kid: "demonstration", secret: tokenSecret }], pepper },
    })
    // A receiver that hangs must not delay the end: its event stays in the outbox.
    closers.push(() => Promise.race([pix.dispose(), setTimeout(disposeLimitMs)]))
    await pix.ready()
    await register(pix.directory, settings)
    const server = startServer(pix)
    const port = await listening(server, settings.port)
    closers.push(() => closed(server))
    return { port, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Runs a host from the process's environment until SIGTERM or SIGINT, or says in one sentence why it can't. */
export const runHost = async (startServer: (pix: SandboxPix) => Server): Promise<void> => {
  try {
    const { port, close } = await start(readSettings(process.env), startServer)
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.once(signal, () => void close().then(() => process.exit()))
    const baseUrl = `http://${address}:${port}`
    console.log(`ready on ${baseUrl}\n\n${whatToTry(baseUrl)}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
