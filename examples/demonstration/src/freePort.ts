import { createServer } from "node:net"

/** The number of further ports to try if a port is taken. */
const tries = 20

const isTaken = (error: unknown): boolean => Object(error).code === "EADDRINUSE"

/** Returns the port if a server can listen on it; 0 asks for any free port. */
const tryPort = (port: number, address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(port, address, () => {
      const { port: given } = probe.address() as { readonly port: number }
      probe.close(() => resolve(given))
    })
  })

/** Returns this port or the next free port. Rejects with the error of the last try. */
export const freePort = async (port: number, address: string): Promise<number> => {
  for (let next = port; ; next++) {
    try {
      return await tryPort(next, address)
    } catch (error) {
      if (!isTaken(error) || next - port >= tries || next >= 65_535) throw error
    }
  }
}
