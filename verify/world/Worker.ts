import { type ChildProcess, fork, type ForkOptions } from "node:child_process"
import { once } from "node:events"
import { inspect } from "node:util"

interface WorkerRequest {
  readonly id: number
  readonly order: string
  readonly args: ReadonlyArray<unknown>
}

interface Answered {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

interface Waiting {
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

export type Orders = Readonly<Record<string, (...args: never) => unknown>>

export class Worker<O extends Orders> {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0

  constructor(module: string, options: Pick<ForkOptions, "execArgv" | "env" | "cwd" | "stdio"> = {}) {
    this.#child = fork(module, { ...options, serialization: "advanced" })
    this.#exited = once(this.#child, "exit")
    this.#child.on("message", ({ id, value, error }: Answered) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) waiting?.resolve(value as never)
      else waiting?.reject(new Error(error))
    })
    this.#child.on("exit", (code, signal) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${module} ended with ${code ?? signal}`))
      this.#waiting.clear()
    })
  }

  /** Rejects with the order's error, or if the process ends first. */
  ask<Name extends keyof O & string>(order: Name, ...args: Parameters<O[Name]>): Promise<Awaited<ReturnType<O[Name]>>> {
    const id = ++this.#asked
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#child.send({ id, order, args } satisfies WorkerRequest, (error) => error && reject(error))
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL")
    await this.#exited
  }

  async end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    await this.#exited
  }
}

/** Executes the parent's orders until it disconnects. */
export const serveOrders = (orders: Orders): void => {
  const answer = (answered: Answered) => process.send?.(answered, undefined, undefined, () => undefined)
  const execute = async ({ id, order, args }: WorkerRequest): Promise<void> => {
    try {
      answer({ id, value: await orders[order]?.(...(args as never)) })
    } catch (error) {
      answer({ id, error: inspect(error) })
    }
  }
  process.on("message", (request: WorkerRequest) => void execute(request))
  process.on("disconnect", () => process.exit())
}
