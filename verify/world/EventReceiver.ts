import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { type EventRejection, type ReceivedEvent, verifyEvent } from "@pixcharge/callback-fetch/receiver"

/** A status, or that the connection breaks. */
export type ReceiverAnswer = number | "cut"

/** Takes an event, or why a request is none, that came to a path. */
export type TakeEvent = (
  event: ReceivedEvent | EventRejection,
  path: string,
) => ReceiverAnswer | Promise<ReceiverAnswer>

/** The system of companies that events are sent to. */
export class EventReceiver {
  /** What signs the events, unless the companies were registered with another. */
  static readonly secret = `whsec_${Buffer.from("a secret of the companies' system").toString("base64")}`
  readonly #server: Server

  private constructor(take: TakeEvent, secret: string) {
    const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(request)
      const header = (name: string) => request.headers[name]?.toString()
      const answer = await take(verifyEvent({ header, body }, [secret]), request.url ?? "")
      if (answer === "cut") response.destroy()
      else response.writeHead(answer).end()
    }
    this.#server = createServer((request, response) => {
      receive(request, response).catch(() => response.destroy())
    })
  }

  static async start(take: TakeEvent, secret = EventReceiver.secret): Promise<EventReceiver> {
    const receiver = new EventReceiver(take, secret)
    receiver.#server.listen(0, "127.0.0.1")
    await once(receiver.#server, "listening")
    return receiver
  }

  /** Its address, without a path. */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
