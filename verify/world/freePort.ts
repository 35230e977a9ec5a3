import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** Outside the ports of connections and of `listen(0)`, which could take it first. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const port = randomInt(11_000, 32_768)
    const server = createServer()
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(freePort()) : reject(error),
    )
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(port)))
  })
