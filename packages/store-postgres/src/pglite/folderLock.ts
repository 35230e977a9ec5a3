import { TaggedError } from "@pixcharge/core/internal"
import { randomUUID } from "node:crypto"
import { closeSync, linkSync, openSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { connect, createServer, type Server } from "node:net"
import { hostname } from "node:os"
import { join } from "node:path"

/**
 * Another process uses the folder; two processes at once would destroy each other's data.
 *
 * @remedy Stop that process, give this one another folder, or use a Postgres server.
 * @repeat Yes, once the other process has ended.
 */
export class FolderInUse extends TaggedError("FolderInUse")<{
  readonly folder: string
  readonly pid: number
  readonly host: string
  readonly file: string
}> {
  override get message(): string {
    const { folder, pid, host, file } = this
    const where = host === hostname() ? "" : ` on ${host}`
    return `${folder} is in use by process ${pid}${where}. Stop it, give this process another folder, or use a Postgres server. If that process is gone for good, delete ${file}.`
  }
}

interface Holder {
  /** Pid and host are only for messages: containers can share both. */
  readonly pid: number
  readonly host: string
  readonly systemRun: string
  readonly socket: string
}

const lockName = /^lock\.(\d+)$/

/** Locks are numbered in order; the highest number counts. */
const newestLock = (folder: string): number =>
  Math.max(0, ...readdirSync(folder).map((name) => Number(lockName.exec(name)?.[1] ?? 0)))

const freeText = "free"
const free = Symbol("free")

/** Returns undefined while the lock is being written. */
const readHolder = (file: string): Holder | typeof free | undefined => {
  const text = readFileSync(file, "utf8")
  if (text === freeText) return free
  try {
    return JSON.parse(text) as Holder
  } catch {
    return undefined
  }
}

/** A holder from before a restart of the system is dead, unless other machines can reach the folder. */
const isAlive = (folder: string, holder: Holder): Promise<boolean> =>
  holder.systemRun === systemRun() ? isSocketAlive(folder, holder.socket) : Promise.resolve(!isOfOneMachine(folder))

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code

const mode = 0o600

/** In one step; returns false if the file exists. */
const create = (file: string, content: string, draft: string): boolean => {
  writeFileSync(draft, content, { mode })
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (isCode(error, "EEXIST")) return false
    // A file system without links needs two steps. A lock that is read between them counts as taken.
    return createPlainly(file, content)
  } finally {
    rmSync(draft, { force: true })
  }
}

const createPlainly = (file: string, content: string): boolean => {
  try {
    writeFileSync(file, content, { flag: "wx", mode })
    return true
  } catch (error) {
    if (isCode(error, "EEXIST")) return false
    throw error
  }
}

/** Resolves to undefined if another process was faster. */
const take = async (folder: string, self: Holder): Promise<string | undefined> => {
  const newest = newestLock(folder)
  const file = join(folder, `lock.${newest}`)
  const holder = newest === 0 ? free : readHolder(file)
  if (holder === undefined || (holder !== free && (await isAlive(folder, holder)))) {
    const { pid = 0, host = hostname() } = holder ?? {}
    throw new FolderInUse({ folder, pid, host, file })
  }
  const next = join(folder, `lock.${newest + 1}`)
  if (!create(next, JSON.stringify(self), join(folder, `draft.${self.socket}`))) return undefined
  if (newestLock(folder) > newest + 1) {
    rmSync(next)
    return undefined
  }
  if (holder !== free) rmSync(join(folder, holder.socket), { force: true })
  for (let old = newest; old > 0 && old > newest - 8; old--) rmSync(join(folder, `lock.${old}`), { force: true })
  return next
}

const maxTries = 8

const takeInTries = async (folder: string, self: Holder): Promise<string> => {
  for (let tries = 0; tries < maxTries; tries++) {
    const file = await take(folder, self)
    if (file !== undefined) return file
  }
  throw new FolderInUse({ folder, pid: 0, host: hostname(), file: join(folder, "lock.*") })
}

/**
 * Takes a folder for this process; returns the function that releases it. Rejects with `FolderInUse`.
 *
 * Among several processes that find the same dead holder, only one gets the next number. A release writes to the lock and never
 * deletes it, because a number must not be used twice.
 */
export const lockFolder = async (folder: string): Promise<() => Promise<void>> => {
  const { name: socket, close } = await openLifeSocket(folder)
  try {
    const file = await takeInTries(folder, { pid: process.pid, host: hostname(), systemRun: systemRun(), socket })
    return async () => {
      writeFileSync(file, freeText)
      await close()
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * A socket that lives exactly as long as its process, because the system accepts connections even while the process is paused. It
 * works across containers of one machine.
 */
export interface LifeSocket {
  readonly name: string
  readonly close: () => Promise<void>
}

/** The maximum length of a socket's path. macOS has the lowest limit. */
const maxPathBytes = 103

interface Address {
  readonly path: string
  readonly release: () => void
}

/** On Linux, reaches a folder with a long path through its open file descriptor. */
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

const openLifeSocket = async (folder: string): Promise<LifeSocket> => {
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
  // Also deletes the socket's file.
  return { name, close: () => closeServer(server).finally(release) }
}

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

/** If in doubt, the process counts as alive. */
const isSocketAlive = (folder: string, name: string): Promise<boolean> => {
  const { path, release } = makeAddress(folder, name)
  return accepts(path).finally(release)
}

/** Identifies the system's current run; containers on one system share it. */
export const systemRun = (): string => {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
  } catch {
    // Outside Linux, each container has its own system.
    return hostname()
  }
}

/** The file systems of one machine, by their numbers in `statfs(2)`. */
const localFileSystems: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x794c7630, // overlay
])

const isOfOneMachine = (folder: string): boolean => localFileSystems.has(statfsSync(folder).type)
