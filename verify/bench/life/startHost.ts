import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { trustedCertificate } from "@pixcharge/testkit/fixtures"
import { cpuNsOfThreads } from "../processes/ServerCpu.ts"
import type { Order, Report, Setting } from "./Setting.ts"

/** The host's process. */
export interface Host {
  readonly baseUrl: string
  /** Processor time of the threads of the process, in microseconds. */
  readonly cpu: () => number
  /** Has it do all that is due: checks of charges, deliveries. */
  readonly tick: () => Promise<void>
  readonly stop: () => Promise<void>
}

export const startHost = async (setting: Setting): Promise<Host> => {
  const folder = await mkdtemp(join(tmpdir(), "pixcharge-bench-"))
  const trusted = join(folder, "receiver.pem")
  await writeFile(trusted, trustedCertificate.cert)
  // The receiver is trusted as a public one is, without `ca` of the transport.
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted }
  const child = fork(`${import.meta.dirname}/host.js`, [JSON.stringify(setting)], { env })
  const ended = once(child, "exit")
  const hear = async (): Promise<Report> => {
    const [message] = await Promise.race([once(child, "message"), ended])
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("the host has ended")
    const report = message as Report
    if (report._tag === "Failed") throw new Error(`the host failed: ${report.reason}`)
    return report
  }
  const ready = await hear()
  if (ready._tag !== "Ready") throw new Error("the host did not start")
  return {
    baseUrl: `http://127.0.0.1:${ready.port}`,
    cpu: () => cpuNsOfThreads(child.pid ?? 0) / 1_000,
    tick: async () => {
      child.send("tick" satisfies Order)
      await hear()
    },
    stop: async () => {
      if (child.connected) child.disconnect()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
