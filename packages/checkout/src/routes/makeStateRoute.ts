import type { Exchange, Reply } from "@pixcharge/core"
import { encodeEvent, type EventStreams } from "@pixcharge/web"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Hub } from "../hub/makeHub.ts"
import { stateEvent } from "../hub/stateEvent.ts"
import type { Reader } from "../hub/WatchedCharges.ts"
import type { Capability } from "../link/Capability.ts"
import { type State, stateBody } from "../state/State.ts"
import { jsonAnswer, nothingMore, pollSeconds, streamHeaders, tooManyStreams } from "./answers.ts"

/** Somebody has a page open on a phone and a computer, or shows it in a shop; more of one charge is no payer. */
const maxStreamsPerCharge = 20

/** After how long a browser comes back: not all at once after this process has ended. */
const retryEvent = (): Uint8Array => encodeEvent({ retryMs: 2_000 + Math.random() * 3_000 })

// Stryker disable next-line StringLiteral: neither text asks for a stream
const wantsStream = (exchange: Exchange): boolean => /\btext\/event-stream\b/i.test(exchange.header("accept") ?? "")

/** Answers `/estado`: a stream where `Accept` asks for one, and else JSON, with `Retry-After` as long as more may come. */
export const makeStateRoute = (hub: Hub, streams: EventStreams) => {
  const opened = (exchange: Exchange, capability: Capability, present: State, now: number): Reply => {
    const seenId = exchange.header("last-event-id")
    if (present.snapshot.isFinal && seenId === present.id) return nothingMore
    if (hub.countReaders(capability) >= maxStreamsPerCharge) return tooManyStreams(429)
    const stream = streams.open({ signal: exchange.signal, onClosed: () => hub.leave(capability, reader) })
    if (stream === undefined) return tooManyStreams(503)
    const reader: Reader = { stream, expiresAt: capability.expiresAt }
    // What was told between the look-up and now is in it.
    const state = hub.follow(capability, reader) ?? present
    stream.send(retryEvent())
    if (state.id !== seenId) stream.send(stateEvent(state, now))
    if (state.snapshot.isFinal) stream.end()
    return { status: 200, headers: streamHeaders, body: stream.body }
  }

  return (exchange: Exchange, capability: Capability, present: State): Effect.Effect<Reply> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (wantsStream(exchange)) return opened(exchange, capability, present, now)
      const again = present.snapshot.isFinal ? {} : { "retry-after": String(pollSeconds) }
      return jsonAnswer(200, stateBody(present, now), again)
    })
}
