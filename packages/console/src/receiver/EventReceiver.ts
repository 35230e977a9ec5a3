import { type EventRejection, verifyEvent } from "@pixcharge/callback-fetch/receiver"
import type { Exchange, Reply } from "@pixcharge/core"
import { randomBytes } from "node:crypto"
import type { ShownHeader } from "../calls/RecordedCall.ts"
import { makeRecent } from "../Recent.ts"

const maxReceived = 500
const maxBodyBytes = 64 * 1_024

/** The headers that are recorded: the service's and Node's. */
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

/** One delivery as it arrived. */
export interface ReceivedDelivery {
  readonly number: number
  /** Epoch milliseconds of business time. */
  readonly at: number
  /** The event's id in its header, signed or not. */
  readonly eventId: string
  readonly kind: string
  readonly headers: ReadonlyArray<ShownHeader>
  readonly body: string
  /** The result of `verifyEvent`. */
  readonly verdict: "verified" | EventRejection
  /** The status of the answer. */
  readonly status: number
}

/** An integrator's receiver of events, which verifies and keeps them. */
export interface EventReceiver {
  readonly secret: string
  readonly receive: (exchange: Exchange) => Promise<Reply>
  /** Newest first. */
  readonly list: () => ReadonlyArray<ReceivedDelivery>
  readonly clear: () => void
  /** While true, every event is answered 500 and sent again. */
  isFailing: boolean
  /** The charges whose events are answered 422. */
  readonly refused: Set<string>
}

const plainReply = (status: number): Reply => ({ status, headers: {}, body: "" })

const readText = async (exchange: Exchange): Promise<string> => {
  const body = await exchange.body(maxBodyBytes)
  if (body._tag === "Text") return body.text
  // Serialized again it is the signed text: the service writes JSON without spaces.
  return body._tag === "Parsed" ? JSON.stringify(body.value) : ""
}

/** Makes a receiver with a secret of its own. `now` is business time; `onDelivery` is called with each delivery. */
export const makeEventReceiver = (
  now: () => number,
  onDelivery: (delivery: ReceivedDelivery) => void,
): EventReceiver => {
  const received = makeRecent<ReceivedDelivery>(maxReceived)
  const secret = `whsec_${randomBytes(32).toString("base64")}`

  const receive = async (exchange: Exchange): Promise<Reply> => {
    const body = await readText(exchange)
    const header = (name: string) => exchange.header(name)
    const event = verifyEvent({ header, body }, [secret])
    const isRefused = typeof event !== "string" && event.kind !== "test" && receiver.refused.has(event.payment.chargeId)
    const status = typeof event === "string" ? 401 : receiver.isFailing ? 500 : isRefused ? 422 : 200
    const delivery = received.add((number) => ({
      number,
      at: now(),
      eventId: header("webhook-id") ?? "",
      kind: typeof event === "string" ? "" : event.kind,
      headers: headerNames.flatMap((name): ReadonlyArray<ShownHeader> => {
        const value = header(name)
        return value === undefined ? [] : [[name, value]]
      }),
      body,
      verdict: typeof event === "string" ? event : "verified",
      status,
    }))
    onDelivery(delivery)
    return plainReply(status)
  }

  const receiver: EventReceiver = {
    secret,
    receive,
    list: received.list,
    clear: received.clear,
    isFailing: false,
    refused: new Set(),
  }
  return receiver
}
