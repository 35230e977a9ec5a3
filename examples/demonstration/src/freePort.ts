import { createServer } from "node:net"

/** How many ports after a taken one are tried. */
const tries = 20

const isTaken = (error: unknown): boolean => Object(error).code === "EADDRINUSE"

/** The port of a server that has just been closed again; 0 asks for any. */
const tryPort = (port: number, address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(port, address, () => {
      const { port: given } = probe.address() as { readonly port: number }
      probe.close(() => resolve(given))
    })
  })

/** This port or the next one that nobody listens on. Rejects with the error of the last that was tried. */
export const freePort = async (port: number, address: string): Promise<number> => {
  for (let next = port; ; next++) {
    try {
      return await tryPort(next, address)
    } catch (error) {
      if (!isTaken(error) || next - port >= tries || next >= 65_535) throw error
    }
  }
}
