import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

const findRoot = (folder: string): string =>
  existsSync(join(folder, "pnpm-workspace.yaml")) ? folder : findRoot(dirname(folder))

/** The folder of the workspace, the same from sources and from the build, which lies deeper. */
export const root = findRoot(import.meta.dirname)
