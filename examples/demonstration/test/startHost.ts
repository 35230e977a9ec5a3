import { startStopwatch } from "@pixcharge/adapter-tests/fixtures"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

/** A host in its own process. */
export interface RunningHost {
  readonly baseUrl: string
  /** The printed commands to paste. */
  readonly tries: () => string
  /** Everything printed and logged so far. */
  readonly logs: () => string
  /** Ends the host by SIGTERM. Returns its exit code and the time that the end took. */
  readonly stop: () => Promise<{ readonly code: number | null; readonly tookMs: number }>
  readonly child: ChildProcess
}

const children: Array<ChildProcess> = []

/** Ends the hosts that a failed test left running. */
export const killHosts = (): void => {
  for (const child of children) child.kill("SIGKILL")
}

/** Starts a built host like a newcomer, on a free port, and waits until it is ready. */
export const startHost = async (
  main: string,
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<RunningHost> => {
  // V8 would optimise PGlite, and that takes longer than all of PGlite's work in a test.
  const child = spawn(process.execPath, ["--liftoff-only", main], {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, PORT: "0", DATABASE_URL: "memory:", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  children.push(child)
  const lines: Array<string> = []
  const errors: Array<string> = []
  child.stderr.on("data", (chunk) => errors.push(String(chunk)))
  const baseUrl = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line)
      const ready = /^ready on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1]
      if (ready !== undefined) resolve(ready)
    })
    child.once("exit", (code) => reject(new Error(`the host ended with ${code}: ${errors.join("")}`)))
  })
  const stop = async () => {
    const stopwatch = startStopwatch()
    child.kill("SIGTERM")
    if (child.exitCode === null) await once(child, "exit")
    return { code: child.exitCode, tookMs: stopwatch() }
  }
  const logs = () => [...lines, ...errors].join("\n")
  return {
    baseUrl,
    tries: () => lines.slice(lines.findIndex((line) => line.startsWith("Or paste")) + 1).join("\n"),
    logs,
    stop,
    child,
  }
}
