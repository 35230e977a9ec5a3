import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import * as Data from "effect/Data"

/** Another process uses the folder; two at once would destroy what each other writes. */
export class FolderInUse extends Data.TaggedError("FolderInUse")<{
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
  readonly pid: number
  readonly host: string
  /** When the process began, where the system says so: a later process may have got the same pid. */
  readonly began: string
}

/** Folders that this very process holds, which its pid would not show. */
const held = new Set<string>()

/** When a process began, in the system's own terms; empty where it doesn't say so. */
const processBeginning = (pid: number): string => {
  try {
    // The 22nd field of Linux's /proc; the second may hold spaces and ends with the last parenthesis.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch {
    return ""
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs, though under another user.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const isAlive = ({ pid, host, began }: Holder): boolean => {
  // Nobody knows from here whether a process of another machine still runs.
  if (host !== hostname()) return true
  if (pid === process.pid) return began === processBeginning(pid)
  return isRunning(pid) && began === processBeginning(pid)
}

const lockName = /^lock\.(\d+)$/

/** Every lock that was ever taken has a number; the highest one counts. */
const newestLock = (folder: string): number =>
  Math.max(0, ...readdirSync(folder).map((name) => Number(lockName.exec(name)?.[1] ?? 0)))

const freeText = "free"
/** Nobody holds it. */
const free = Symbol("free")

const readHolder = (file: string): Holder | typeof free => {
  const text = readFileSync(file, "utf8")
  if (text === freeText) return free
  try {
    return JSON.parse(text) as Holder
  } catch {
    // Being written just now. As pid, 0 stands for one's own group of processes, which runs.
    return { pid: 0, host: hostname(), began: "" }
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code

/** Creates a file with its content in one step, so that nobody reads half of it; false if there is one already. */
const create = (file: string, content: string): boolean => {
  const draft = `${file}.${process.pid}.draft`
  writeFileSync(draft, content)
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (isCode(error, "EEXIST")) return false
    // A file system without links: the step is two, and what is read in between counts as taken.
    return createPlainly(file, content)
  } finally {
    rmSync(draft, { force: true })
  }
}

const createPlainly = (file: string, content: string): boolean => {
  try {
    writeFileSync(file, content, { flag: "wx" })
    return true
  } catch (error) {
    if (isCode(error, "EEXIST")) return false
    throw error
  }
}

/** Takes the number after the newest, if that is free; undefined when somebody was faster. Throws `FolderInUse`. */
const take = (folder: string, self: Holder): string | undefined => {
  const newest = newestLock(folder)
  const file = join(folder, `lock.${newest}`)
  const holder = newest === 0 ? free : readHolder(file)
  if (holder !== free && (held.has(folder) || isAlive(holder))) {
    throw new FolderInUse({ folder, pid: holder.pid, host: holder.host, file })
  }
  const next = join(folder, `lock.${newest + 1}`)
  if (!create(next, JSON.stringify(self))) return undefined
  if (newestLock(folder) > newest + 1) {
    // The folder was read while somebody else took it and tidied up.
    rmSync(next)
    return undefined
  }
  for (let old = newest; old > 0 && old > newest - 8; old--) rmSync(join(folder, `lock.${old}`), { force: true })
  return next
}

const mostTries = 8

/**
 * Takes a folder for this process alone; answers with the function that gives it back. Throws `FolderInUse`.
 *
 * Locks are numbered: of several processes that find the same dead holder, one gets the next number. A lock is given
 * back by writing so into it, never by deleting it, so that no number is taken twice.
 */
export const lockFolder = (folder: string): (() => void) => {
  mkdirSync(folder, { recursive: true })
  const self: Holder = { pid: process.pid, host: hostname(), began: processBeginning(process.pid) }
  for (let tries = 0; tries < mostTries; tries++) {
    const file = take(folder, self)
    if (file === undefined) continue
    held.add(folder)
    return () => {
      held.delete(folder)
      writeFileSync(file, freeText)
    }
  }
  throw new FolderInUse({ folder, pid: 0, host: hostname(), file: join(folder, "lock.*") })
}
