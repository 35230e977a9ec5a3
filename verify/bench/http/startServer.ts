import { fork } from "node:child_process"
import { once } from "node:events"
import type { Report, Variant } from "./serve.ts"

/** One server in a process of its own. */
export interface Server {
  readonly variant: Variant
  readonly port: number
  readonly token: string
  /** Processor time of its process since it began, in nanoseconds. */
  readonly cpuNs: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Starts a server, whose Node gets these flags. */
export const startServer = async (
  variant: Variant,
  databaseUrl: string,
  execArgv: ReadonlyArray<string> = [],
): Promise<Server> => {
  const child = fork(`${import.meta.dirname}/serve.js`, [variant, databaseUrl], { execArgv: [...execArgv] })
  const ended = once(child, "exit")
  const ask = async (): Promise<Report> => {
    const [message] = await Promise.race([once(child, "message"), ended])
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${variant} has ended`)
    return message as Report
  }
  const ready = await ask()
  if (ready._tag !== "Ready") throw new Error(`${variant} did not start`)
  return {
    variant,
    port: ready.port,
    token: ready.token,
    cpuNs: async () => {
      child.send("cpu")
      const report = await ask()
      return report._tag === "Cpu" ? report.microseconds * 1_000 : 0
    },
    stop: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
