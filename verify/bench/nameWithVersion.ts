import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../world/root.ts"

export const nameWithVersion = (name: string, folder = join(root, "verify")): string => {
  const manifest = readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")
  return `${name} ${(JSON.parse(manifest) as { readonly version: string }).version}`
}
