import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { PoolOptions, PoolWorker, WorkerRequest } from "vitest/node"

type Listener = (argument: unknown) => void

/**
 * The one process in which all tests run. Vitest asks for a worker for each file and stops it afterwards: the process
 * outlives that, with whatever of `node_modules` it has loaded.
 */
export class WorkerProcess {
  #child: ChildProcess | undefined

  start({ env, execArgv }: PoolOptions): ChildProcess {
    const running = this.#child
    if (running !== undefined && running.exitCode === null && running.signalCode === null) return running
    const child = fork(join(import.meta.dirname, "worker.js"), [], {
      env: env as NodeJS.ProcessEnv,
      execArgv,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    })
    this.#child = child
    return child
  }

  /** Ends the process whatever it does; the next file starts another. */
  async end(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }
}

/** What Vitest takes for a worker of its own. */
export class KeptWorker implements PoolWorker {
  readonly name = "kept"
  readonly #process: WorkerProcess
  readonly #options: PoolOptions
  readonly #listeners: Array<readonly [string, Listener]> = []
  #child: ChildProcess | undefined

  constructor(process: WorkerProcess, options: PoolOptions) {
    this.#process = process
    this.#options = options
  }

  async start(): Promise<void> {
    this.#child = this.#process.start(this.#options)
    this.on("exit", this.#answer)
  }

  /** In place of a process that is gone, for whose answers Vitest would wait a minute. */
  readonly #answer = (): void => {
    const error = new Error("The worker has ended")
    const answers = [{ type: "started", error }, { type: "stopped" }]
    for (const answer of answers)
      for (const [event, listener] of this.#listeners)
        if (event === "message") listener({ __vitest_worker_response__: true, ...answer })
  }

  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) this.#child?.off(event, listener)
    this.#child = undefined
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener])
    this.#child?.on(event, listener)
  }

  off(event: string, listener: Listener): void {
    this.#child?.off(event, listener)
  }

  send(message: WorkerRequest): void {
    if (this.#child?.connected === true) this.#child.send(message)
    else this.#answer()
  }

  deserialize(data: unknown): unknown {
    return data
  }
}
