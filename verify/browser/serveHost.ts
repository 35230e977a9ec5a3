import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"

export interface Served {
  /** Without a trailing slash: `http://127.0.0.1:4711`. */
  readonly origin: string
  /** An insecure context without `navigator.clipboard`. */
  readonly insecureOrigin: string
  readonly close: () => Promise<void>
}

const origins = new Set<string>()

/** True for current and former servers of this test file. */
export const isServed = (origin: string): boolean => origins.has(origin)

const open = new Set<() => Promise<void>>()

export const closeServed = async (): Promise<void> => {
  await Promise.all([...open].map((close) => close()))
  origins.clear()
}

/** Listens on a free port until closed, at the latest at the end of the test file. */
export const serveHost = async (server: Server): Promise<Served> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const insecureOrigin = `http://loja.test:${port}`
  origins.add(origin).add(insecureOrigin).add(`http://localhost:${port}`)
  const close = async () => {
    if (!open.delete(close)) return
    const closed = once(server, "close")
    server.close()
    // Event streams would keep the server open.
    server.closeAllConnections()
    await closed
  }
  open.add(close)
  return { origin, insecureOrigin, close }
}
