import { execFile } from "node:child_process"
import { promisify } from "node:util"

const root = `${import.meta.dirname}/../../..`

/** Builds what the processes run. */
export default async (): Promise<void> => {
  await promisify(execFile)(`${root}/node_modules/.bin/tsc`, ["-b", `${import.meta.dirname}/..`])
}
