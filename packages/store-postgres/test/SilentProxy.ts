import { connect, createServer, type Socket } from "node:net"
import { freePort } from "@pixcharge/verify/world"

/** A way to the database that can go silent: connections stay open, new ones are accepted, and nothing passes. */
export interface SilentProxy {
  readonly port: number
  /** From now on nothing passes; what is open then stays silent for ever, as after a broken network. */
  readonly silence: () => void
  /** New connections are forwarded again. */
  readonly forward: () => void
  readonly close: () => Promise<void>
}

export const startSilentProxy = async (target: number): Promise<SilentProxy> => {
  const sockets = new Set<Socket>()
  let isSilent = false

  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
    return socket
  }

  const server = createServer((incoming) => {
    keep(incoming)
    if (isSilent) return incoming.pause()
    const outgoing = keep(connect(target, "127.0.0.1"))
    const isOpen = () => sockets.has(incoming) && sockets.has(outgoing)
    incoming.pipe(outgoing)
    outgoing.pipe(incoming)
    incoming.on("close", () => outgoing.destroy())
    outgoing.on("close", () => isOpen() && incoming.destroy())
    return incoming
  })
  const port = await freePort()
  await new Promise<void>((resume) => void server.listen(port, "127.0.0.1", resume))

  return {
    port,
    silence: () => {
      isSilent = true
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
      }
    },
    forward: () => {
      isSilent = false
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resume) => void server.close(() => resume()))
    },
  }
}
