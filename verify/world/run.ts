import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { root } from "./root.ts"

const execute = promisify(execFile)

/** Runs a command and returns its output. Rejects with the output of a failed command. */
export const run = async (command: string, args: ReadonlyArray<string>, cwd = root, added = {}): Promise<string> => {
  // Turns off the telemetry that a Next.js build would send.
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...added }
  try {
    const { stdout } = await execute(command, args, { cwd, env, maxBuffer: 64 * 1_024 * 1_024 })
    return stdout.trim()
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error })
  }
}
