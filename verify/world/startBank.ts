import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { root } from "./root.ts"

const built = [process.execPath, join(root, "packages/simulated-bank/dist/bin/pixcharge-bank.js")]

interface BankSetting {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly command?: ReadonlyArray<string>
}

/**
 * Starts the simulated bank's command in its own process on free ports. Rejects with what the command prints on
 * standard error.
 */
export const startBank = async (args: ReadonlyArray<string>, { cwd, env, command = built }: BankSetting = {}) => {
  const [program = "", ...before] = command
  const child = spawn(program, [...before, ...args, "--port", "0"], { cwd, env: { ...process.env, ...env } })
  const ended = once(child, "close") as Promise<[number | null]>
  let printed = ""
  let complaints = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text))
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text
      if (printed.includes("Ctrl+C")) resolve()
    })
    ended.then(([code]) => reject(new Error(`the bank ended with ${code}: ${complaints}`)), reject)
  })
  const [, controlUrl = ""] = /(http:\S+)\/pay\n/.exec(printed) ?? []
  const ask = async (path: string, method: string): Promise<unknown> =>
    (await fetch(`${controlUrl}/${path}`, { method })).json()
  return {
    printed,
    controlUrl,
    show: () => ask("", "GET"),
    command: (path: string) => ask(path, "POST"),
    /** Ends the bank with this signal. Returns the exit code. */
    end: async (signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> => {
      child.kill(signal)
      return (await ended)[0]
    },
  }
}

export type BankProcess = Awaited<ReturnType<typeof startBank>>
