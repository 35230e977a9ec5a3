import type { Exchange, Reply } from "@pixcharge/core"
import { encodeEvent, type EventStreams } from "@pixcharge/web"
import type { Hub } from "../hub/makeHub.ts"
import { stateEvent } from "../hub/stateEvent.ts"
import type { Reader } from "../hub/WatchedCharges.ts"
import { type AnyState, stateBody } from "../state/State.ts"
import type { LinkRequest } from "./LinkRequest.ts"
import { endReply, jsonReply, pollSeconds, streamHeaders, tooManyStreamsReply } from "./replies.ts"

/** A payer has the page open on a phone and a computer, and a shop may show it: nobody needs more streams of one charge. */
const maxStreamsPerCharge = 20

/** Browsers come back at different times after this process has ended. */
const retryEvent = (): Uint8Array => encodeEvent({ retryMs: 2_000 + Math.random() * 3_000 })

// Stryker disable next-line StringLiteral: neither text asks for a stream
const wantsStream = (exchange: Exchange): boolean => /\btext\/event-stream\b/i.test(exchange.header("accept") ?? "")

const streamReply = (
  { exchange, capability, now }: LinkRequest,
  found: AnyState,
  hub: Hub<AnyState>,
  streams: EventStreams,
): Reply => {
  const seenId = exchange.header("last-event-id")
  if (found.snapshot.isFinal && seenId === found.id) return endReply
  if (hub.countReaders(capability) >= maxStreamsPerCharge) return tooManyStreamsReply(429)
  const stream = streams.open({ signal: exchange.signal, onClosed: () => hub.leave(capability, reader) })
  if (stream === undefined) return tooManyStreamsReply(503)
  const reader: Reader = { stream, expiresAt: capability.expiresAt }
  // It has what changed since the look-up.
  const state = hub.follow(capability, reader) ?? found
  stream.send(retryEvent())
  if (state.id !== seenId) stream.send(stateEvent(state, now))
  if (state.snapshot.isFinal) stream.end()
  return { status: 200, headers: streamHeaders, body: stream.body }
}

/** Answers `/estado`: by a stream where `Accept` asks for one, else by JSON, with `Retry-After` until the state is final. */
export const stateReply = (request: LinkRequest, state: AnyState, hub: Hub<AnyState>, streams: EventStreams): Reply => {
  if (wantsStream(request.exchange)) return streamReply(request, state, hub, streams)
  const headers = state.snapshot.isFinal ? {} : { "retry-after": String(pollSeconds) }
  return jsonReply(200, stateBody(state, request.now), headers)
}
