import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { TaggedError } from "@pixcharge/core/internal"
import { isSocketAlive, openLifeSocket } from "./lifeSocket.ts"
import { isOfOneMachine, systemRun } from "./machine.ts"

/**
 * Another process uses the folder; two at once would destroy what each other writes.
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
  /** For people to read: containers may share both, so that they don't tell whether the holder is alive. */
  readonly pid: number
  readonly host: string
  readonly systemRun: string
  /** The name of its life socket. */
  readonly socket: string
}

const lockName = /^lock\.(\d+)$/

/** Every lock that was ever taken has a number; the highest one counts. */
const newestLock = (folder: string): number =>
  Math.max(0, ...readdirSync(folder).map((name) => Number(lockName.exec(name)?.[1] ?? 0)))

const freeText = "free"
/** Nobody holds it. */
const free = Symbol("free")

/** Undefined while it is being written. */
const readHolder = (file: string): Holder | typeof free | undefined => {
  const text = readFileSync(file, "utf8")
  if (text === freeText) return free
  try {
    return JSON.parse(text) as Holder
  } catch {
    return undefined
  }
}

/** A run of the system that has ended took its processes with it, unless the folder is reached by other machines. */
const isAlive = (folder: string, holder: Holder): Promise<boolean> =>
  holder.systemRun === systemRun() ? isSocketAlive(folder, holder.socket) : Promise.resolve(!isOfOneMachine(folder))

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code

const mode = 0o600

/** Creates a file with its content in one step, so that nobody reads half of it; false if there is one already. */
const create = (file: string, content: string, draft: string): boolean => {
  writeFileSync(draft, content, { mode })
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (isCode(error, "EEXIST")) return false
    // On a file system without links it takes two steps; a lock that is read in between counts as taken.
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

/** Takes the number after the newest lock, if that one is free; undefined if another process was faster. Rejects with `FolderInUse`. */
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
    // Another process took the folder and removed old locks while this one read it.
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
 * Takes a folder for this process alone; returns the function that gives it back. Rejects with `FolderInUse`.
 *
 * Locks are numbered: of several processes that find the same dead holder, one gets the next number. A lock is given
 * back by writing so into it, never by deleting it, so that no number is taken twice.
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
