import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { root } from "./root.ts"

export const build = async (): Promise<void> => {
  await promisify(execFile)(`${root}/node_modules/.bin/tsc`, ["-b", `${root}/verify`])
}
