import { randomUUID } from "node:crypto"
import { closeSync, openSync } from "node:fs"
import { connect, createServer, type Server } from "node:net"
import { join } from "node:path"

/**
 * A socket that lives exactly as long as its process: the system refuses connections to it from the moment that the process
 * ends, and takes them while it is paused. Any process that reaches the folder can connect, from any container of this machine.
 */
export interface LifeSocket {
  /** Its file's name in the folder. */
  readonly name: string
  readonly close: () => Promise<void>
}

/** A socket's address has room for no longer path; macOS has the lowest limit. */
const maxPathBytes = 103

interface Address {
  readonly path: string
  /** Gives the address up: it can't be used any more. */
  readonly release: () => void
}

/** Makes an address that is short enough: if need be, through the opened folder's number (Linux). */
const makeAddress = (folder: string, name: string): Address => {
  if (process.platform === "win32") return { path: `\\\\.\\pipe\\pixcharge-${name}`, release: () => undefined }
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= maxPathBytes) return { path, release: () => undefined }
  const opened = openSync(folder, "r")
  return { path: `/proc/self/fd/${opened}/${name}`, release: () => closeSync(opened) }
}

const listen = (server: Server, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(address, resolve)
  })

const closeServer = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

/** Opens a socket of this process in the folder. It keeps no process from ending. */
export const openLifeSocket = async (folder: string): Promise<LifeSocket> => {
  const name = `socket.${randomUUID()}`
  const { path, release } = makeAddress(folder, name)
  const server = createServer((socket) => socket.destroy())
  try {
    await listen(server, path)
  } catch (error) {
    release()
    throw error
  }
  server.unref()
  // Closing it deletes its file.
  return { name, close: () => closeServer(server).finally(release) }
}

/** Nobody listens, or there is no such socket. */
const deadCodes: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOENT"])

const accepts = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", (error) => resolve(!("code" in error && deadCodes.has(error.code))))
  })

/** Whether the process that opened this socket on this machine is alive. One that isn't known to be dead counts as alive. */
export const isSocketAlive = (folder: string, name: string): Promise<boolean> => {
  const { path, release } = makeAddress(folder, name)
  return accepts(path).finally(release)
}
