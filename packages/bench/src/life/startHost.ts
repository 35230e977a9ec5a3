import { fork } from "node:child_process"
import { once } from "node:events"
import type { Order, Report, Setting } from "./Setting.ts"

/** The host's process. */
export interface Host {
  readonly baseUrl: string
  /** Processor time of the process since it began, in microseconds. */
  readonly cpu: () => Promise<number>
  /** Has it do all that is due: checks of charges, deliveries. */
  readonly tick: () => Promise<void>
  readonly stop: () => Promise<void>
}

export const startHost = async (setting: Setting): Promise<Host> => {
  const child = fork(`${import.meta.dirname}/host.js`, [JSON.stringify(setting)])
  const ended = once(child, "exit")
  const hear = async (): Promise<Report> => {
    const [message] = await Promise.race([once(child, "message"), ended])
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("the host has ended")
    const report = message as Report
    if (report._tag === "Failed") throw new Error(`the host failed: ${report.reason}`)
    return report
  }
  const ask = (order: Order): Promise<Report> => {
    child.send(order)
    return hear()
  }
  const ready = await hear()
  if (ready._tag !== "Ready") throw new Error("the host did not start")
  return {
    baseUrl: `http://127.0.0.1:${ready.port}`,
    cpu: async () => {
      const report = await ask("cpu")
      return report._tag === "Cpu" ? report.microseconds : 0
    },
    tick: async () => void (await ask("tick")),
    stop: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
