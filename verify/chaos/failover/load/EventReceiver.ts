import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { verifyEvent } from "@pixcharge/callback-fetch/receiver"

/** An event, and how often it was told. */
export interface Told {
  readonly id: string
  readonly kind: string
  readonly chargeId: string
  times: number
}

const longestAnswerMs = 200

/** What a company's system gets, with a ledger of it. */
export class EventReceiver {
  static readonly secret = `whsec_${Buffer.from("a secret of the companies' system").toString("base64")}`

  /** By event. */
  readonly told = new Map<string, Told>()
  readonly #byCharge = new Map<string, Array<Told>>()
  readonly #server: Server
  #held: Promise<void> = Promise.resolve()
  /** It has seen a delivery without a sound signature. */
  unsigned = 0

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const body = await text(request).catch(() => "")
      const header = (name: string) => [request.headers[name]].flat()[0]
      this.#take(verifyEvent({ header, body }, [EventReceiver.secret]))
      await this.#held
      // So that deliveries are under way whenever something is killed.
      setTimeout(() => response.writeHead(204).end(), Math.random() * longestAnswerMs)
    })
  }

  static async start(): Promise<EventReceiver> {
    const receiver = new EventReceiver()
    receiver.#server.listen(0, "127.0.0.1")
    await once(receiver.#server, "listening")
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/events`
  }

  /** Answers nothing until what this answers with is called. */
  hold(): () => void {
    let release = () => {}
    this.#held = new Promise((resolve) => {
      release = resolve
    })
    return release
  }

  /** The events about a charge. */
  about(chargeId: string): ReadonlyArray<Told> {
    return this.#byCharge.get(chargeId) ?? []
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #take(event: ReturnType<typeof verifyEvent>): void {
    if (typeof event === "string" || event.kind === "test") {
      this.unsigned += 1
      return
    }
    const { id, kind } = event
    const known = this.told.get(id)
    if (known !== undefined) known.times += 1
    else this.#keep({ id, kind, chargeId: event.payment.chargeId, times: 1 })
  }

  #keep(told: Told): void {
    this.told.set(told.id, told)
    this.#byCharge.set(told.chargeId, [...this.about(told.chargeId), told])
  }
}
