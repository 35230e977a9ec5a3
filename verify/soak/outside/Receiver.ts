import { verifyEvent } from "@pixcharge/callback-fetch/receiver"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { callbackSecret } from "../companies.ts"

/** What the receiver is told of an event: that it came, and that it answered 2xx to it. */
export interface Receiving {
  readonly came: (chargeId: string, kind: "paid" | "refunded") => void
  readonly took: (chargeId: string, kind: "paid" | "refunded") => void
  /** A request that no event of the host's should be like. */
  readonly refused: (why: string) => void
}

/** How often, of all requests, the receiver fails, breaks off, or is slow. */
const failing = 0.02
const cutting = 0.01
const slow = 0.02
const slowMs = 1_500

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

/** An integrator's receiver of events, as receivers are: now and then it fails, is slow, cuts, or is down. */
export class Receiver {
  readonly #server: Server
  readonly #random: () => number
  readonly #told: Receiving
  isDown = false

  constructor(random: () => number, told: Receiving) {
    this.#random = random
    this.#told = told
    this.#server = createServer((request, response) => {
      this.#receive(request, response).catch(() => response.destroy())
    })
  }

  /** Begins to listen; answers with its address. */
  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1")
    await once(this.#server, "listening")
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/eventos`
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isDown) return void response.destroy()
    const body = await readBody(request)
    const header = (name: string) => request.headers[name]?.toString()
    const event = verifyEvent({ header, body }, [callbackSecret])
    if (typeof event === "string") {
      this.#told.refused(event)
      return void response.writeHead(401).end()
    }
    if (event.kind === "test") return void response.writeHead(204).end()
    const { chargeId } = event.payment
    this.#told.came(chargeId, event.kind)
    const drawn = this.#random()
    if (drawn < failing) return void response.writeHead(500).end()
    if (drawn < failing + cutting) return void response.destroy()
    if (drawn < failing + cutting + slow) await pause(slowMs)
    this.#told.took(chargeId, event.kind)
    response.writeHead(204).end()
  }
}
