import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Worker } from "../../world/index.ts"
import { root } from "../../world/root.ts"
import type { HostOrders, HostSample, HostSetting } from "../host.ts"

export class CallFailed extends Error {
  /** The error's tag, or `HostGone`. */
  readonly tag: string

  constructor(tag: string, message: string) {
    super(`${tag}: ${message}`)
    this.tag = tag
  }
}

export const ownProgram = join(root, "verify/dist/chaos/host.js")

export const newerProgram = join(root, "verify/dist/chaos/newerHost.js")

export class Host {
  readonly name: string
  readonly #worker: Worker<HostOrders>
  #open = 0
  /** Kills the host when this process ends, because a suspended host wouldn't notice that. */
  readonly #kill = () => void process.kill(this.#worker.pid, "SIGKILL")

  private constructor(name: string, program: string) {
    this.name = name
    this.#worker = new Worker(program, { execArgv: [] })
    process.once("exit", this.#kill)
  }

  static async start(name: string, program: string, setting: HostSetting): Promise<Host> {
    const host = new Host(name, program)
    await host.#worker.ask("start", setting)
    return host
  }

  get isAlive(): boolean {
    return this.#worker.isAlive
  }

  /** Calls a method by its path, such as `directory.putCompany`. */
  async call(path: string, ...args: ReadonlyArray<unknown>): Promise<unknown> {
    this.#open += 1
    const outcome = await this.#worker
      .ask("call", path, args)
      .catch((error: Error) => ({ tag: "HostGone", message: error.message }))
    this.#open -= 1
    if ("answer" in outcome) return outcome.answer
    throw new CallFailed(outcome.tag, outcome.message)
  }

  pointTo(port: number): Promise<void> {
    return this.#worker.ask("pointTo", port)
  }

  sample(): Promise<HostSample> {
    return this.#worker.ask("sample")
  }

  suspend(): void {
    process.kill(this.#worker.pid, "SIGSTOP")
  }

  resume(): void {
    process.kill(this.#worker.pid, "SIGCONT")
  }

  async kill(): Promise<void> {
    process.off("exit", this.#kill)
    await this.#worker.kill()
  }

  async end(): Promise<void> {
    while (this.#open > 0) await sleep(10)
    await this.#worker.ask("dispose")
    await this.kill()
  }
}
