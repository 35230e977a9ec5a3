import { spawnSync } from "node:child_process"
import { chownSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

interface User {
  readonly uid: number
  readonly gid: number
}

/** The accounts to try in order. Postgres needs an account in the machine's list of users. */
const accounts = ["postgres", "nobody"]

const findAccount = (name: string): User | undefined => {
  const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }))
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : undefined
}

/** The user for servers that refuse root; undefined if the tests don't run as root. */
export const serverUser = (): User | undefined => {
  if (process.getuid?.() !== 0) return undefined
  for (const name of accounts) {
    const user = findAccount(name)
    if (user !== undefined) return user
  }
  throw new Error(`Postgres refuses root, and this machine has no account ${accounts.join(" or ")} to run it as`)
}

export const giveToServer = (file: string, user = serverUser()): void => {
  if (user !== undefined) chownSync(file, user.uid, user.gid)
}

export const canRun = (command: string, args: ReadonlyArray<string>, folder: string): boolean =>
  spawnSync(command, args, { ...serverUser(), cwd: folder }).status === 0

export const canEnter = (folder: string): boolean => canRun("test", ["-w", folder], folder)

/**
 * Makes a folder of the server's user that satisfies `isFit`. The folder is elsewhere if the temporary folder is closed
 * to other users or forbids running programs.
 */
export const serverFolder = (name: string, isFit = canEnter): string => {
  const user = serverUser()
  const places = [...new Set([tmpdir(), "/tmp", "/var/tmp"])]
  for (const place of places) {
    const folder = mkdtempSync(join(place, `pixcharge-${name}-`))
    giveToServer(folder, user)
    if (isFit(folder)) return folder
    rmSync(folder, { recursive: true })
  }
  throw new Error(`The server's user can't work in any of ${places.join(", ")}`)
}
