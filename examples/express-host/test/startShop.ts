import { freePort } from "@pixcharge/verify/world"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

/** A shop in its own process. */
export interface RunningShop {
  readonly url: string
  /** Everything printed and logged so far. */
  readonly logs: () => string
  /** Ends the shop by SIGTERM; returns its exit code. */
  readonly stop: () => Promise<number | null>
}

/** The operator's key of these shops. */
export const operatorKey = "the key of the tests"

const children: Array<ChildProcess> = []

/** Ends the shops that a failed test left running. */
export const killShops = (): void => {
  for (const child of children) child.kill("SIGKILL")
}

/** Starts the shop's program on a free port in the folder `cwd`, and waits until it is ready. */
export const startShop = async (
  program: ReadonlyArray<string>,
  databaseUrl: string,
  cwd: string,
): Promise<RunningShop> => {
  const child = spawn(process.execPath, program, {
    cwd,
    env: { ...process.env, PORT: String(await freePort()), DATABASE_URL: databaseUrl, OPERATOR_KEY: operatorKey },
    stdio: ["ignore", "pipe", "pipe"],
  })
  children.push(child)
  const logged: Array<string> = []
  child.stderr.on("data", (chunk) => logged.push(String(chunk)))
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      logged.push(`${line}\n`)
      const ready = /^The shop: (\S+)$/.exec(line)?.[1]
      if (ready !== undefined) resolve(ready)
    })
    child.once("close", (code) => reject(new Error(`the shop ended with ${code}: ${logged.join("")}`)))
  })
  return {
    url,
    logs: () => logged.join(""),
    stop: async () => {
      child.kill("SIGTERM")
      if (child.exitCode === null) await once(child, "exit")
      return child.exitCode
    },
  }
}
