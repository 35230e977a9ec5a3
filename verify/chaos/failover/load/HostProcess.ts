import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"

/** What a host is started with. */
export interface HostSetting {
  /** Of the database, or a way to it. */
  readonly port: number
  /** It does nothing but what it is called for. */
  readonly isPassive?: boolean
  /** The bank's address. */
  readonly bank: string
  readonly companies: ReadonlyArray<{ readonly cnpj: string; readonly clientId: string; readonly clientSecret: string }>
}

/** A call that a host has not answered with a value. */
export class CallFailed extends Error {
  /** The error's tag, or `HostGone`. */
  readonly tag: string

  constructor(tag: string, message: string) {
    super(`${tag}: ${message}`)
    this.tag = tag
  }
}

type Reply = { readonly id: number } & (
  | { readonly answer: unknown }
  | { readonly error: { readonly tag: string; readonly message: string } }
)

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: CallFailed) => void
}

/** A process that runs `host.mjs` with the packages that are installed beside it. */
export class HostProcess {
  readonly name: string
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  readonly #kill = () => void this.#child.kill("SIGKILL")
  #asked = 0

  private constructor(name: string, folder: string) {
    this.name = name
    this.#child = fork(join(folder, "host.mjs"), {
      cwd: folder,
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    })
    process.once("exit", this.#kill)
    this.#child.on("message", (reply: Reply) => this.#answered(reply))
    this.#child.once("exit", () => {
      process.off("exit", this.#kill)
      for (const { reject } of this.#waiting.values()) reject(new CallFailed("HostGone", `${name} has ended`))
      this.#waiting.clear()
    })
  }

  /** Serves once its database does. */
  static async start(name: string, folder: string, setting: HostSetting): Promise<HostProcess> {
    const host = new HostProcess(name, folder)
    await host.#ask("start", { ...setting })
    return host
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Calls a method of its `pix`, by a path like `directory.putCompany`. */
  call(path: string, ...args: ReadonlyArray<unknown>): Promise<unknown> {
    return this.#ask("call", { path: path.split("."), args })
  }

  /** Has its pool connect to another port from now on. */
  async pointTo(port: number): Promise<void> {
    await this.#ask("pointTo", { port })
  }

  /** Ends it here and now. */
  async kill(): Promise<void> {
    if (!this.isAlive) return
    const exited = once(this.#child, "exit")
    this.#kill()
    await exited
  }

  /** Ends it in order. */
  async end(): Promise<void> {
    await this.#ask("dispose", {})
    await this.kill()
  }

  #ask(command: string, given: object): Promise<unknown> {
    if (!this.isAlive) return Promise.reject(new CallFailed("HostGone", `${this.name} has ended`))
    const id = ++this.#asked
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#child.send({ id, command, ...given }, () => undefined)
    })
  }

  #answered(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if ("answer" in reply) waiting?.resolve(reply.answer)
    else waiting?.reject(new CallFailed(reply.error.tag, reply.error.message))
  }
}
