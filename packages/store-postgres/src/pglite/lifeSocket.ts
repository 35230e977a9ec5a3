import { randomUUID } from "node:crypto"
import { closeSync, openSync } from "node:fs"
import { connect, createServer, type Server } from "node:net"
import { join } from "node:path"

/**
 * A socket that lives exactly as long as its process: the system refuses connections to it from the moment that the process
 * ends, and takes them while it is paused. Whoever reaches the folder can ask, from any container of this machine.
 */
export interface LifeSocket {
  /** Its file's name in the folder. */
  readonly name: string
  readonly close: () => Promise<void>
}

/** Longer paths fit no socket's address; the shortest limit is that of macOS. */
const longestPath = 103

interface Address {
  readonly path: string
  /** The address is good until then. */
  readonly release: () => void
}

/** An address that is short enough: where need be, by the number of the opened folder (Linux). */
const addressIn = (folder: string, name: string): Address => {
  if (process.platform === "win32") return { path: `\\\\.\\pipe\\pixcharge-${name}`, release: () => undefined }
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= longestPath) return { path, release: () => undefined }
  const opened = openSync(folder, "r")
  return { path: `/proc/self/fd/${opened}/${name}`, release: () => closeSync(opened) }
}

const listen = (server: Server, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(address, resolve)
  })

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

/** Opens a socket of this process in the folder. It keeps no process from ending. */
export const openLifeSocket = async (folder: string): Promise<LifeSocket> => {
  const name = `socket.${randomUUID()}`
  const { path, release } = addressIn(folder, name)
  const server = createServer((asking) => asking.destroy())
  try {
    await listen(server, path)
  } catch (error) {
    release()
    throw error
  }
  server.unref()
  // To close it deletes its file.
  return { name, close: () => closed(server).finally(release) }
}

/** Nobody listens, or there is no such socket. */
const deadCodes: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOENT"])

const accepts = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asking = connect(path)
    asking.once("connect", () => {
      asking.destroy()
      resolve(true)
    })
    asking.once("error", (error) => resolve(!("code" in error && deadCodes.has(error.code))))
  })

/** Whether the process that opened this socket on this machine is alive. Whatever is not known to be dead is alive. */
export const isSocketAlive = (folder: string, name: string): Promise<boolean> => {
  const { path, release } = addressIn(folder, name)
  return accepts(path).finally(release)
}
