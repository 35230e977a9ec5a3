import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../world/root.ts"

/** A package that is compared with, by its name and by the version that is installed, which its own manifest says. */
export const nameWithVersion = (name: string): string => {
  const manifest = readFileSync(join(root, "verify/node_modules", name, "package.json"), "utf8")
  return `${name} ${(JSON.parse(manifest) as { readonly version: string }).version}`
}
