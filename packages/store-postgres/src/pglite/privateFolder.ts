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

/** What the system says of a folder that can't be written to; on a read-only file system, Node makes ENOENT of EROFS. */
const readOnlyCodes = new Set(["EACCES", "EPERM", "EROFS", "ENOENT"])

/** Makes `FolderNotWritable` of the system's failures. */
export const nameReadOnly = (folder: string, error: unknown): unknown =>
  readOnlyCodes.has(Object(error).code) ? new FolderNotWritable({ folder }) : error

const folderMode = 0o700
const fileMode = 0o600
/** What the group and all others may do. */
const othersMay = 0o077

const notPrivate = (folder: string, path: string, why: string) =>
  new FolderNotPrivate({ folder, message: `${path} ${why}` })

const describeOwner = (uid: number, user: number): string =>
  `belongs to user ${uid}, and this process runs as user ${user}: chown it, or choose another folder.`

/**
 * What is directly in the folder. Throws `FolderNotPrivate` for what another user may have put there while the folder was
 * open to all: a link, by which we would read or write elsewhere, and what belongs to another.
 */
const ownEntries = (folder: string, user: number) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    // Another process that wants the folder had its socket there.
    if (found === undefined) return []
    if (found.isSymbolicLink()) {
      const why = "is a symbolic link, which another user may have made: put what it leads to in its place"
      throw notPrivate(folder, path, `${why}, or choose another folder.`)
    }
    if (found.uid !== user) throw notPrivate(folder, path, describeOwner(found.uid, user))
    return [{ path, mode: found.mode, isFolder: found.isDirectory() }]
  })

/**
 * Takes from all others what they may do with what is in the folder: PGlite lets everybody read and write its files.
 * Throws `FolderNotPrivate` for links and for what belongs to another user.
 */
export const tightenContent = (folder: string): void => {
  const user = process.geteuid?.()
  if (user === undefined) return
  for (const { path, mode, isFolder } of ownEntries(folder, user)) {
    if ((mode & othersMay) !== 0) chmodSync(path, isFolder ? folderMode : fileMode)
    if (isFolder) tightenContent(path)
  }
}

/**
 * Makes the folder for this user alone, or closes one of this user that others may enter. Throws `FolderNotPrivate` for a
 * folder of another user or with a link or another user's file directly in it, and where the file system keeps no modes.
 * Windows has none: there the folder has the rights of the one around it.
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
