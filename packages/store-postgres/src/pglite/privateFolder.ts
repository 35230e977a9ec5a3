import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Data from "effect/Data"

/** The folder holds payers' data, and other users of this machine could read or write it. */
export class FolderNotPrivate extends Data.TaggedError("FolderNotPrivate")<{
  readonly folder: string
  readonly message: string
}> {}

const folderMode = 0o700
const fileMode = 0o600
/** What the group and all others may do. */
const othersMay = 0o077

/** Takes from all others what they may do with what is in the folder: PGlite lets everybody read and write its files. */
export const tightenContent = (folder: string): void => {
  if (process.geteuid === undefined) return
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const found = lstatSync(path)
    if (found.isSymbolicLink()) continue
    if ((found.mode & othersMay) !== 0) chmodSync(path, found.isDirectory() ? folderMode : fileMode)
    if (found.isDirectory()) tightenContent(path)
  }
}

/**
 * Makes the folder for this user alone, or closes one of this user that others may enter. Throws `FolderNotPrivate` for a
 * folder of another user, and where the file system keeps no modes. Windows has none: there the folder has the rights of
 * the one around it.
 */
export const makePrivate = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: folderMode })
  const user = process.geteuid?.()
  if (user === undefined) return
  const fail = (why: string) => new FolderNotPrivate({ folder, message: `${folder} ${why}` })
  const { uid, mode } = statSync(folder)
  if (uid !== user) {
    throw fail(`belongs to user ${uid}, and this process runs as user ${user}: chown it, or choose another folder.`)
  }
  if ((mode & othersMay) !== 0) chmodSync(folder, folderMode)
  if ((statSync(folder).mode & othersMay) !== 0) {
    throw fail("can be read by other users, and its file system keeps no modes: choose another folder.")
  }
}
