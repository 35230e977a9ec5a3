import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { TaggedError } from "@pixcharge/core/internal"

/**
 * The folder holds payers' data, and other users of this machine could read or write it.
 *
 * @remedy Do what the message says, or choose another folder.
 * @repeat Yes, once the folder is private.
 */
export class FolderNotPrivate extends TaggedError("FolderNotPrivate")<{
  readonly folder: string
  readonly message: string
}> {}

/**
 * The folder of the embedded database can't be made or written to.
 *
 * @remedy Let this process's user write there, choose another folder, or use a Postgres server.
 * @repeat Yes, once the folder can be written to.
 */
export class FolderNotWritable extends TaggedError("FolderNotWritable")<{ readonly folder: string }> {
  override get message(): string {
    return `The embedded database is kept in ${this.folder}, which can't be written to: choose another folder, or a Postgres server.`
  }
}

/** On a read-only file system, Node can report ENOENT instead of EROFS. */
const readOnlyCodes = new Set(["EACCES", "EPERM", "EROFS", "ENOENT"])

export const nameReadOnly = (folder: string, error: unknown): unknown =>
  readOnlyCodes.has(Object(error).code) ? new FolderNotWritable({ folder }) : error

const folderMode = 0o700
const fileMode = 0o600
const othersMay = 0o077

const notPrivate = (folder: string, path: string, why: string) =>
  new FolderNotPrivate({ folder, message: `${path} ${why}` })

const describeOwner = (uid: number, user: number): string =>
  `belongs to user ${uid}, and this process runs as user ${user}: chown it, or choose another folder.`

/** Refuses symbolic links, because they would lead our reads and writes out of the folder. */
const ownEntries = (folder: string, user: number) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    // The deleted entry was the socket of another process that tried to use the folder.
    if (stats === undefined) return []
    if (stats.isSymbolicLink()) {
      const why = "is a symbolic link, which another user could have made: replace it with its target"
      throw notPrivate(folder, path, `${why}, or choose another folder.`)
    }
    if (stats.uid !== user) throw notPrivate(folder, path, describeOwner(stats.uid, user))
    return [{ path, mode: stats.mode, isFolder: stats.isDirectory() }]
  })

/** Makes the content private, because PGlite lets all users read and write its files. */
export const tightenContent = (folder: string): void => {
  const user = process.geteuid?.()
  if (user === undefined) return
  for (const { path, mode, isFolder } of ownEntries(folder, user)) {
    if ((mode & othersMay) !== 0) chmodSync(path, isFolder ? folderMode : fileMode)
    if (isFolder) tightenContent(path)
  }
}

/**
 * Makes a private folder, or makes this user's folder private. Throws `FolderNotPrivate` if the folder or a file directly in it
 * is a link or belongs to another user, or if the file system has no modes. On Windows, the folder has the rights of its parent.
 */
export const makePrivate = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: folderMode })
  const user = process.geteuid?.()
  if (user === undefined) return
  const { uid, mode } = statSync(folder)
  if (uid !== user) throw notPrivate(folder, folder, describeOwner(uid, user))
  if ((mode & othersMay) !== 0) chmodSync(folder, folderMode)
  if ((statSync(folder).mode & othersMay) !== 0) {
    const why = "can be read by other users, and its file system keeps no modes: choose another folder."
    throw notPrivate(folder, folder, why)
  }
  ownEntries(folder, user)
}
