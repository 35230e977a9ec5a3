import type { Socket } from "node:net"
import { FrameReader, frameType } from "./frames.ts"
import type { ProxyFates, StatementFate } from "./StatementFate.ts"
import { ConnectionStatements, type Write } from "./statements.ts"
import { wait } from "./wait.ts"

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

/** One connection through the proxy: requests go up to their Sync as a whole, and answers up to their ReadyForQuery. */
export class ProxiedConnection {
  readonly #client: Socket
  readonly #database: Socket
  readonly #around: Surroundings
  readonly #statements = new ConnectionStatements()
  #request: Request | undefined

  constructor(client: Socket, database: Socket, around: Surroundings) {
    this.#client = client
    this.#database = database
    this.#around = around
  }

  /** Begins to hand on what comes. */
  open(): void {
    const [client, database] = [this.#client, this.#database]
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
    await fate.meeting
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
