import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Mounted } from "./Conformance.ts"

/** Starts a Node server on a free port of 127.0.0.1, with the routes below `prefix`. */
export const mountServer = async (server: Server, prefix: string, hasHost: boolean): Promise<Mounted> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${prefix}`,
    hasHost,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
