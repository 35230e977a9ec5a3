import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { type EventRejection, type PlainEvent, verifyEvent } from "@pixcharge/callback-fetch/receiver"
import type { Identity } from "./makeAuthority.ts"

/** Handles an event, or the reason why a request isn't a valid event. Returns the status to answer. */
export type TakeEvent = (event: PlainEvent | EventRejection) => number | Promise<number>

export class EventReceiver {
  static readonly secret = `whsec_${Buffer.from("a secret of the companies' system").toString("base64")}`
  readonly #server: Server
  readonly #scheme: string

  private constructor(take: TakeEvent, tls: Identity | undefined) {
    const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(request)
      const header = (name: string) => request.headers[name]?.toString()
      response.writeHead(await take(verifyEvent({ header, body }, [EventReceiver.secret]))).end()
    }
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      receive(request, response).catch(() => response.destroy())
    }
    this.#server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
    this.#scheme = tls === undefined ? "http" : "https"
  }

  /** Starts a receiver, over TLS if `tls` is given. */
  static async start(take: TakeEvent, tls?: Identity): Promise<EventReceiver> {
    const receiver = new EventReceiver(take, tls)
    receiver.#server.listen(0, "127.0.0.1")
    await once(receiver.#server, "listening")
    return receiver
  }

  get origin(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
