import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { ProxiedConnection } from "./ProxiedConnection.ts"
import type { ProxyFates } from "./StatementFate.ts"
import { wait } from "./wait.ts"

const ignore = () => undefined

/** The way of one process to the database: it can cut, delay and go silent, and sees where each write is. */
export class DatabaseProxy {
  readonly #server: Server
  readonly #fates: ProxyFates
  readonly #target: number
  readonly #sockets = new Set<Socket>()
  #silent: Promise<void> = Promise.resolve()
  #silences = 0
  #open = 0
  /** Requests so far. */
  asked = 0

  constructor(target: number, fates: ProxyFates) {
    this.#target = target
    this.#fates = fates
    this.#server = createServer((client) => this.#accept(client))
  }

  /** Whether a request is on its way or being carried out; none is while nothing passes. */
  get isBusy(): boolean {
    return this.#silences === 0 && this.#open > 0
  }

  /** Begins to listen; answers with the port. */
  async listen(): Promise<number> {
    this.#server.listen(0, "127.0.0.1")
    await once(this.#server, "listening")
    return (this.#server.address() as AddressInfo).port
  }

  /** Nothing passes for so many real milliseconds; then all that was held back does. */
  goSilent(realMs: number): void {
    const before = this.#silent
    this.#silences += 1
    this.#silent = Promise.all([before, wait(realMs)]).then(() => {
      this.#silences -= 1
    })
  }

  /** Waits until everything passes again. */
  heard(): Promise<void> {
    return this.#silent
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket)
    socket.setNoDelay(true)
    socket.on("error", ignore)
    socket.on("close", () => this.#sockets.delete(socket))
    return socket
  }

  #accept(client: Socket): void {
    const database = this.#keep(connect(this.#target, "127.0.0.1"))
    const connection = new ProxiedConnection(this.#keep(client), database, {
      fates: this.#fates,
      silent: () => this.#silent,
      count: (by) => {
        this.#open += by
        if (by > 0) this.asked += 1
      },
    })
    connection.open()
  }
}
