import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

/** The host's way to the database, which can break. */
export class DatabaseLink {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #target: number
  #isRefusing = false
  #isHolding = false

  constructor(target: number) {
    this.#target = target
    this.#server = createServer((client) => this.#accept(client))
  }

  /** Begins to listen; answers with the port. */
  async listen(): Promise<number> {
    this.#server.listen(0, "127.0.0.1")
    await once(this.#server, "listening")
    return (this.#server.address() as AddressInfo).port
  }

  /** Breaks every connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** For so long nobody gets through. */
  async refuse(ms: number): Promise<void> {
    this.#isRefusing = true
    this.cut()
    await pause(ms)
    this.#isRefusing = false
  }

  /** For so long nothing passes; then all that was held back does. */
  async hold(ms: number): Promise<void> {
    this.#isHolding = true
    for (const socket of this.#sockets) socket.pause()
    await pause(ms)
    this.#isHolding = false
    for (const socket of this.#sockets) socket.resume()
  }

  close(): void {
    this.#server.close()
    this.cut()
  }

  #accept(client: Socket): void {
    if (this.#isRefusing) return void client.destroy()
    const database = connect(this.#target, "127.0.0.1")
    this.#join(client, database)
    this.#join(database, client)
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from)
    from.setNoDelay(true)
    from.on("data", (chunk) => to.write(chunk))
    from.on("error", () => undefined)
    from.on("close", () => {
      this.#sockets.delete(from)
      to.destroy()
    })
    if (this.#isHolding) from.pause()
  }
}
