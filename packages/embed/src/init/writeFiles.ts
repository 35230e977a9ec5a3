import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Files } from "./listFiles.ts"

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** A setting is the same with any value. */
const nameLine = (line: string): string => line.replace(/=.*/, "=")

/** The lines that a list of settings, or of paths, lacks. */
const missingLines = (path: string, text: string): string => {
  const present = new Set((existsSync(path) ? readFileSync(path, "utf8") : "").split("\n").map(nameLine))
  const missing = text.split("\n").filter((line) => !line.startsWith("#") && !present.has(nameLine(line)))
  return missing.filter((line) => line !== "").join("\n")
}

/** What was written, and what belongs into files that are not. */
export interface Written {
  readonly written: ReadonlyArray<string>
  readonly lines: Files
}

/**
 * Writes the files that aren't there, and changes none. Where the first one is there, or nothing is to be written, all become
 * lines: the others import it.
 */
export const writeFiles = (folder: string, files: Files, isToWrite: boolean): Written => {
  const paths = Object.keys(files)
  const isAbsent = (path: string): boolean => !isThere(join(folder, path))
  const written = isToWrite && isAbsent(paths[0] ?? "") ? paths.filter(isAbsent) : []
  for (const path of written) mkdirSync(dirname(join(folder, path)), { recursive: true })
  for (const path of written) writeFileSync(join(folder, path), files[path] ?? "", { flag: "wx" })
  const lines = paths
    .filter((path) => !written.includes(path))
    .map((path) => {
      const text = files[path] ?? ""
      return [path, path.startsWith(".") ? missingLines(join(folder, path), text) : text.trimEnd()] as const
    })
  return { written, lines: Object.fromEntries(lines.filter(([, text]) => text !== "")) }
}
