import { lstatSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Writes all of these files, or, where one of them is there already, none. Throws what stands in the way. */
export const writeFiles = (folder: string, files: Readonly<Record<string, string>>): void => {
  const present = Object.keys(files).filter((path) => isThere(join(folder, path)))
  if (present.length > 0) {
    throw new Error(`nothing is written, because of what is there already: ${present.join(", ")}`)
  }
  for (const path of Object.keys(files)) mkdirSync(dirname(join(folder, path)), { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text, { flag: "wx" })
}
