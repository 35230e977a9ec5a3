import { execFile } from "node:child_process"
import { promisify } from "node:util"

/** Builds this package, whose worker is a process of its own. */
export default async (): Promise<void> => {
  const root = `${import.meta.dirname}/../../..`
  await promisify(execFile)(`${root}/node_modules/.bin/tsc`, ["-b", `${root}/packages/mutation`])
}
