import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

const findRoot = (folder: string): string =>
  existsSync(join(folder, "pnpm-workspace.yaml")) ? folder : findRoot(dirname(folder))

/** The workspace's folder, the same from sources and from the deeper build. */
export const root = findRoot(import.meta.dirname)
