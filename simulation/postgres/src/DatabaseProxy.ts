import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { frameType, FrameReader } from "./frames.ts"
import { ConnectionStatements, type Write } from "./statements.ts"

/** Where a process may be killed about a statement that writes. */
export const commitEdges = ["before the request", "after the request", "before the answer", "after the answer"] as const

export type CommitEdge = (typeof commitEdges)[number]

/** What becomes of one statement that writes. */
export interface StatementFate {
  /** The process is killed here. */
  readonly killAt?: CommitEdge
  /** The connection is cut when the request arrives, or when the answer does. */
  readonly cutAt?: "request" | "answer"
  /** Real milliseconds. */
  readonly delayMs: number
}

/** What the proxy asks of who decides. */
export interface ProxyFates {
  readonly next: (write: Write) => StatementFate
  readonly kill: (edge: CommitEdge, write: Write) => void
}

const ignore = () => undefined
const wait = (ms: number): Promise<void> => new Promise((resume) => void setTimeout(resume, ms))

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
    new ProxiedConnection(this.#keep(client), database, {
      fates: this.#fates,
      silent: () => this.#silent,
      count: (by) => {
        this.#open += by
        if (by > 0) this.asked += 1
      },
    })
  }
}

interface Surroundings {
  readonly fates: ProxyFates
  readonly silent: () => Promise<void>
  readonly count: (by: 1 | -1) => void
}

interface Request {
  readonly write: Write | undefined
  readonly fate: StatementFate
}

const harmless: StatementFate = { delayMs: 0 }

/** One connection: requests go up to their Sync as a whole, and answers up to their ReadyForQuery. */
class ProxiedConnection {
  readonly #client: Socket
  readonly #database: Socket
  readonly #around: Surroundings
  readonly #statements = new ConnectionStatements()
  #request: Request | undefined

  constructor(client: Socket, database: Socket, around: Surroundings) {
    this.#client = client
    this.#database = database
    this.#around = around
    this.#pass(
      client,
      new FrameReader("client"),
      (type) => type !== "P" && type !== "B" && type !== "D" && type !== "E",
      this.#ask,
    )
    this.#pass(database, new FrameReader("server"), (type) => type === "Z" || this.#request === undefined, this.#answer)
    // A process that is gone leaves what it has asked for to the database.
    client.on("close", () => this.#request === undefined && database.end())
    database.on("close", () => {
      this.#end()
      client.destroy()
    })
  }

  /** Hands on what comes, as many messages as belong together, one after the other. */
  #pass(
    from: Socket,
    reader: FrameReader,
    isLast: (type: string) => boolean,
    hand: (whole: ReadonlyArray<Buffer>) => Promise<void>,
  ): void {
    let handing = Promise.resolve()
    let whole: Array<Buffer> = []
    from.on("data", (chunk: Buffer) => {
      for (const frame of reader.read(chunk)) {
        whole.push(frame)
        if (!isLast(frameType(frame))) continue
        const complete = whole
        whole = []
        handing = handing.then(() => hand(complete))
      }
    })
  }

  readonly #ask = async (frames: ReadonlyArray<Buffer>): Promise<void> => {
    const { fates, silent, count } = this.#around
    if (!frames.some((frame) => frameType(frame) === "S")) {
      await silent()
      return this.#send(this.#database, frames)
    }
    const write = this.#statements.write(frames)
    const fate = write === undefined ? harmless : fates.next(write)
    if (fate.killAt === "before the request" && write !== undefined) fates.kill(fate.killAt, write)
    if (fate.killAt === "before the request" || fate.cutAt === "request") return this.#cut()
    this.#request = { write, fate }
    count(1)
    if (fate.delayMs > 0) await wait(fate.delayMs)
    await silent()
    this.#send(this.#database, frames)
    if (fate.killAt === "after the request" && write !== undefined) fates.kill(fate.killAt, write)
  }

  readonly #answer = async (frames: ReadonlyArray<Buffer>): Promise<void> => {
    const { write, fate } = this.#request ?? { write: undefined, fate: harmless }
    const { fates, silent } = this.#around
    if (fate.killAt === "before the answer" && write !== undefined) fates.kill(fate.killAt, write)
    if (fate.killAt === "before the answer" || fate.cutAt === "answer") return this.#cut()
    await silent()
    this.#end()
    this.#send(this.#client, frames)
    if (this.#client.destroyed) this.#database.end()
    if (fate.killAt === "after the answer" && write !== undefined) fates.kill(fate.killAt, write)
  }

  #end(): void {
    if (this.#request !== undefined) this.#around.count(-1)
    this.#request = undefined
  }

  #cut(): void {
    this.#end()
    this.#client.destroy()
    this.#database.destroy()
  }

  #send(to: Socket, frames: ReadonlyArray<Buffer>): void {
    if (!to.destroyed) to.write(Buffer.concat(frames))
  }
}
