import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { root } from "@pixcharge/verify/world"
import { onTestFinished } from "vitest"

/** A folder whose programs find the workspace's packages by name. */
export const openFolder = (): string => {
  const cache = join(root, "node_modules/.cache")
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "bank-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
