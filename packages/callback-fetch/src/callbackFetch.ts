import { CallbackDelivery, type DeliveryOutcome, type Endpoint, type PixEvent } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Tracer from "effect/Tracer"
import { guardedFetch, type GuardedFetchOptions } from "./guardedFetch.ts"
import { hostFetch } from "./hostFetch.ts"
import { checkUrl, type NetworkPolicy } from "./networkPolicy.ts"
import { retryAfterMs } from "./retryAfter.ts"
import { parseSecret, signatureOf } from "./signature.ts"
import type { Answer, NoAnswer, Transport } from "./Transport.ts"
import { encodeEventBody } from "./wire/EventBody.ts"

export type CallbackFetchOptions =
  | (GuardedFetchOptions & { readonly fetch?: never })
  /** With a fetch of the host's own only the URL's text is checked: it must guard what it dials by itself. */
  | (NetworkPolicy & { readonly fetch: typeof globalThis.fetch })

type HttpTarget = Extract<Endpoint["target"], { readonly _tag: "Http" }>

/** Delivers events by signed POST (Standard Webhooks, decisions 23 and 24), through `guardedFetch` unless told otherwise. */
export const callbackFetch = (options: CallbackFetchOptions = {}): Layer.Layer<CallbackDelivery> =>
  Layer.effect(
    CallbackDelivery,
    Effect.map(options.fetch ? Effect.succeed(hostFetch(options.fetch)) : guardedFetch(options), (transport) => ({
      deliver: (event, { target }) =>
        target._tag === "Http"
          ? post(event, target, transport, options)
          : Effect.succeed(retry("the endpoint is a function of the host, not a URL")),
    })),
  )

const retry = (reason: string): DeliveryOutcome => ({ _tag: "Retry", reason })

const post = Effect.fnUntraced(function* (
  event: PixEvent,
  target: HttpTarget,
  transport: Transport,
  policy: NetworkPolicy,
) {
  const url = checkUrl(target.url, policy)
  if (Result.isFailure(url)) return retry(url.failure.message)
  const keys = target.secrets.map((secret) => parseSecret(Redacted.value(secret))).filter((key) => key !== undefined)
  if (keys.length === 0) return retry("the endpoint has no valid secret")
  const body = encodeEventBody(event)
  // Receivers compare it with their own clock, so it is the real time, also while the sandbox's clock is moved.
  const timestamp = Math.floor(Date.now() / 1_000)
  const signatures = keys.map((key) => signatureOf({ id: event.id, timestamp, body }, key))
  const span = yield* Effect.serviceOption(Tracer.ParentSpan)
  const headers = {
    "content-type": "application/json",
    "user-agent": "pixcharge",
    "webhook-id": event.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
    ...(Option.isSome(span) && { traceparent: traceparentOf(span.value) }),
  }
  return yield* Effect.match(transport.send({ url: url.success, headers, body }), {
    onSuccess: outcomeOf,
    onFailure: ({ reason }: NoAnswer) => retry(reason),
  })
})

/** W3C Trace Context, so that the receiver's spans continue ours. */
const traceparentOf = ({ traceId, spanId, sampled }: Tracer.AnySpan): string =>
  `00-${traceId.padStart(32, "0")}-${spanId}-${sampled ? "01" : "00"}`

const outcomeOf = ({ status, head, retryAfter }: Answer): DeliveryOutcome => {
  const facts = { status, ...(head !== "" && { answer: head }) }
  if (status >= 200 && status < 300) return { _tag: "Delivered", ...facts }
  if (status === 410) return { _tag: "Gone", ...facts }
  const waitMs = retryAfter === undefined ? undefined : retryAfterMs(retryAfter, Date.now())
  const reason = status >= 300 && status < 400 ? "redirects are not followed" : `HTTP ${status}`
  return { _tag: "Retry", reason, ...facts, ...(waitMs !== undefined && { retryAfterMs: waitMs }) }
}
