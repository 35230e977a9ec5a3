import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** What a guard can do with a received chunk: pass it on, or end its connection. */
export interface Crossing {
  readonly pass: () => void
  readonly cut: () => void
}

/** Decides about the chunks of one connection. Each chunk waits for the previous one. */
export interface Guard {
  readonly asks: (chunk: Buffer, crossing: Crossing) => void | Promise<void>
  readonly answers: (chunk: Buffer, crossing: Crossing) => void | Promise<void>
}

const letPass = (_: Buffer, { pass }: Crossing): void => pass()
const ignore = (): void => undefined

/** A proxy to a server. It can redirect and cut connections, and hold data back. */
export class TcpProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #guard: () => Guard
  #target: number
  #heard: Promise<unknown> = Promise.resolve()
  #isSilent = false

  private constructor(target: number, guard: () => Guard) {
    this.#target = target
    this.#guard = guard
    this.#server = createServer((client) => this.#accept(client))
  }

  /** Starts a proxy to a port of this machine. Each connection gets its own guard. */
  static async start(target: number, guard = (): Guard => ({ asks: letPass, answers: letPass })): Promise<TcpProxy> {
    const proxy = new TcpProxy(target, guard)
    proxy.#server.listen(0, "127.0.0.1")
    await once(proxy.#server, "listening")
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Directs new connections to this port. Open connections stay. */
  pointTo(target: number): void {
    this.#target = target
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Holds all data back for `ms` milliseconds, and then passes it on. */
  async hold(ms: number): Promise<void> {
    this.#heard = Promise.all([this.#heard, sleep(ms)])
    await this.#heard
  }

  /** Stops passing data on open and new connections until `forward`. The connections stay. */
  silence(): void {
    this.#isSilent = true
    for (const socket of this.#sockets) socket.pause()
  }

  forward(): void {
    this.#isSilent = false
  }

  close(): void {
    this.#server.close()
    this.cut()
  }

  #accept(client: Socket): void {
    if (this.#isSilent) return this.#keep(client)
    const server = connect(this.#target, "127.0.0.1")
    const guard = this.#guard()
    this.#join(client, server, guard.asks)
    this.#join(server, client, guard.answers)
    // Ends the server's side gracefully, so the server completes the request although its client is gone.
    client.on("close", () => server.end())
    server.on("close", () => client.destroy())
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on("error", ignore)
    socket.on("close", () => this.#sockets.delete(socket))
  }

  #join(from: Socket, to: Socket, decide: Guard["asks"]): void {
    this.#keep(from)
    from.setNoDelay(true)
    const cut = () => {
      from.destroy()
      to.destroy()
    }
    let handing: Promise<unknown> = Promise.resolve()
    from.on("data", (chunk: Buffer) => {
      const crossing = { pass: () => void (to.writable && to.write(chunk)), cut }
      handing = handing.then(() => this.#heard).then(() => decide(chunk, crossing))
    })
  }
}
