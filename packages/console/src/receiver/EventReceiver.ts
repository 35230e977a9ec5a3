import { type EventRejection, verifyEvent } from "@pixcharge/callback-fetch/receiver"
import type { Exchange, Reply } from "@pixcharge/core"
import { randomBytes } from "node:crypto"
import { Recent, type ShownHeader } from "../calls/RecordedCall.ts"

const maxReceived = 500
const maxBodyBytes = 64 * 1_024

const headerNames = [
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
  "content-type",
  "content-length",
  "user-agent",
  "traceparent",
  "host",
]

export interface ReceivedDelivery {
  readonly number: number
  /** Epoch milliseconds of business time. */
  readonly at: number
  /** The id in the header, even if the signature is invalid. */
  readonly eventId: string
  readonly kind: string
  readonly headers: ReadonlyArray<ShownHeader>
  readonly body: string
  readonly verdict: "verified" | EventRejection
  readonly status: number
}

const readText = async (exchange: Exchange): Promise<string> => {
  const body = await exchange.body(maxBodyBytes)
  if (body._tag === "Text") return body.text
  // The signed body is JSON without spaces, so `JSON.stringify` restores it.
  return body._tag === "Parsed" ? JSON.stringify(body.value) : ""
}

const listHeaders = (exchange: Exchange): ReadonlyArray<ShownHeader> =>
  headerNames.flatMap((name): ReadonlyArray<ShownHeader> => {
    const value = exchange.header(name)
    return value === undefined ? [] : [[name, value]]
  })

/** Plays an integrator's event receiver. It has a random secret. */
export class EventReceiver {
  readonly secret = `whsec_${randomBytes(32).toString("base64")}`
  /** The ids of charges whose events are answered 422. */
  readonly refused = new Set<string>()
  /** While true, events are answered 500, so they are sent again. */
  isFailing = false
  readonly #received = new Recent<ReceivedDelivery>(maxReceived)
  readonly #now: () => number
  readonly #onDelivery: (delivery: ReceivedDelivery) => void

  /** `now` returns business time. */
  constructor(now: () => number, onDelivery: (delivery: ReceivedDelivery) => void) {
    this.#now = now
    this.#onDelivery = onDelivery
  }

  async receive(exchange: Exchange): Promise<Reply> {
    const body = await readText(exchange)
    const event = verifyEvent({ header: (name: string) => exchange.header(name), body }, [this.secret])
    const isVerified = typeof event !== "string"
    const isRefused = isVerified && event.payment !== undefined && this.refused.has(event.payment.chargeId)
    const status = !isVerified ? 401 : this.isFailing ? 500 : isRefused ? 422 : 200
    const delivery = this.#received.add((number) => ({
      number,
      at: this.#now(),
      eventId: exchange.header("webhook-id") ?? "",
      kind: isVerified ? event.kind : "",
      headers: listHeaders(exchange),
      body,
      verdict: isVerified ? "verified" : event,
      status,
    }))
    this.#onDelivery(delivery)
    return { status, headers: {}, body: "" }
  }

  /** The received deliveries, the newest first. */
  list(): ReadonlyArray<ReceivedDelivery> {
    return this.#received.list()
  }

  clear(): void {
    this.#received.clear()
  }
}
