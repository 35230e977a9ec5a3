import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"

export interface Served {
  /** The origin, such as `http://127.0.0.1:4711`. */
  readonly origin: string
  /** An origin of the same server that is an insecure context, so it has no `navigator.clipboard`. */
  readonly insecureOrigin: string
  readonly close: () => Promise<void>
}

const origins = new Set<string>()

/** True for the origins of this test file's servers, even of closed ones. */
export const isServed = (origin: string): boolean => origins.has(origin)

const open = new Set<() => Promise<void>>()

export const closeServed = async (): Promise<void> => {
  await Promise.all([...open].map((close) => close()))
  origins.clear()
}

/** Makes the server listen on a free port. It closes at the end of the test file, if not before. */
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
    // Open event streams would keep the server from closing.
    server.closeAllConnections()
    await closed
  }
  open.add(close)
  return { origin, insecureOrigin, close }
}
