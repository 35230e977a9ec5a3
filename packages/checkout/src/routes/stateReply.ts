import type { Exchange, Reply } from "@pixcharge/core"
import { encodeEvent, type EventStream, makeEventStreams, type StreamOrder, type StreamRefusal } from "@pixcharge/web"
import { formatItemKey, type ItemKey, type Reader, stateEvent } from "../hub/WatchedItems.ts"
import type { Hub } from "../hub/makeHub.ts"
import type { LinkRequest } from "../link/Capability.ts"
import { type AnyState, stateBody } from "../wire/State.ts"
import { endReply, jsonReply, pollSeconds, streamHeaders, tooManyStreamsReply } from "../wire/replies.ts"

/** A random delay spreads the browsers' reconnects after this process has ended. */
const retryEvent = (): Uint8Array => encodeEvent({ retryMs: 2_000 + Math.random() * 3_000 })

// Stryker disable next-line StringLiteral: no default value of the header matches
const wantsStream = (exchange: Exchange): boolean => /\btext\/event-stream\b/i.test(exchange.header("accept") ?? "")

const streamReply = (
  { exchange, capability, now }: LinkRequest,
  found: AnyState,
  hub: Hub<AnyState>,
  streams: PageStreams,
): Reply => {
  const seenId = exchange.header("last-event-id")
  if (found.snapshot.isFinal && seenId === found.id) return endReply
  const stream = streams.open(capability, {
    signal: exchange.signal,
    onClosed: () => hub.leave(capability, reader),
  })
  if (typeof stream === "number") return tooManyStreamsReply(stream)
  const reader: Reader = { stream, expiresAt: capability.expiresAt }
  // `follow` returns a newer state if it changed after the look-up.
  const state = hub.follow(capability, reader) ?? found
  stream.send(retryEvent())
  if (state.id !== seenId) stream.send(stateEvent(state, now))
  if (state.snapshot.isFinal) stream.end()
  return { status: 200, headers: streamHeaders, body: stream.body }
}

/** An event stream if `Accept` names it. Otherwise JSON, with `Retry-After` until the state is final. */
export const stateReply = (request: LinkRequest, state: AnyState, hub: Hub<AnyState>, streams: PageStreams): Reply => {
  if (wantsStream(request.exchange)) return streamReply(request, state, hub, streams)
  const headers = state.snapshot.isFinal ? {} : { "retry-after": String(pollSeconds) }
  return jsonReply(200, stateBody(state, request.now), headers)
}

/** Enough for a payer's phone and computer and the shop's screen. */
const maxOpenOfCharge = 20
/** Leaves streams for the payers of other companies. */
const maxShareOfCompany = 1 / 2

export class PageStreams {
  readonly #streams: ReturnType<typeof makeEventStreams>
  readonly #maxOpenOfCompany: number

  constructor(maxOpen: number, until: AbortSignal) {
    this.#streams = makeEventStreams({ maxOpen, until })
    this.#maxOpenOfCompany = Math.ceil(maxOpen * maxShareOfCompany)
  }

  open(key: ItemKey, order: Omit<StreamOrder, "limits">): EventStream | StreamRefusal {
    const limits = [
      { name: `charge ${formatItemKey(key)}`, maxOpen: maxOpenOfCharge },
      { name: `company ${key.issuer}`, maxOpen: this.#maxOpenOfCompany },
    ]
    return this.#streams.open({ ...order, limits })
  }

  dispose(): void {
    this.#streams.dispose()
  }
}
