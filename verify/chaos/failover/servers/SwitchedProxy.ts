import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { FrameReader, frameType } from "../../postgres/frames.ts"

/** One address for whichever server is the primary. */
export class SwitchedProxy {
  /** Statements that were sent, and how many of them as a text to be parsed: the others by their name. */
  readonly sent = { statements: 0, texts: 0 }
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #target: number | undefined
  #isSilent = false

  private constructor(target: number) {
    this.#target = target
    this.#server = createServer((client) => this.#accept(client))
  }

  static async start(target: number): Promise<SwitchedProxy> {
    const proxy = new SwitchedProxy(target)
    proxy.#server.listen(0, "127.0.0.1")
    await once(proxy.#server, "listening")
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** New connections go there, and to nobody without a port; those that are open stay. */
  pointTo(target: number | undefined): void {
    this.#target = target
  }

  /** Ends all connections: whoever is behind it is fenced off. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** From now on nothing passes on connections that are open. */
  silence(): void {
    this.#isSilent = true
  }

  close(): void {
    this.cut()
    this.#server.close()
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket)
    socket.setNoDelay(true)
    socket.on("error", () => undefined)
    socket.on("close", () => this.#sockets.delete(socket))
    return socket
  }

  #accept(client: Socket): void {
    this.#keep(client)
    if (this.#target === undefined) return void client.destroy()
    const database = this.#keep(connect(this.#target, "127.0.0.1"))
    const reader = new FrameReader("client")
    client.on("data", (chunk: Buffer) => {
      if (this.#isSilent) return
      for (const frame of reader.read(chunk)) this.#count(frameType(frame))
      database.write(chunk)
    })
    database.on("data", (chunk: Buffer) => {
      if (!this.#isSilent) client.write(chunk)
    })
    client.on("close", () => database.destroy())
    database.on("close", () => client.destroy())
  }

  #count(type: string): void {
    if (type === "B") this.sent.statements += 1
    if (type === "P") this.sent.texts += 1
  }
}
