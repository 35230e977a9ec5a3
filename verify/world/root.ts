import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

const findRoot = (folder: string): string =>
  existsSync(join(folder, "pnpm-workspace.yaml")) ? folder : findRoot(dirname(folder))

/** The workspace's folder. It is found from the sources and from the build, which is in a deeper folder. */
export const root = findRoot(import.meta.dirname)
