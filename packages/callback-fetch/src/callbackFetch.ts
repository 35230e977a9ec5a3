import { CallbackDelivery, type DeliveryOutcome } from "@pixcharge/core"
import { type Endpoint, parseCallbackSecret } from "@pixcharge/core/directory"
import { aFlag, aFunction, checkOptions, type OptionRules, parseRetryAfter } from "@pixcharge/core/internal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import { guardedFetch, type GuardedFetchOptions } from "./guardedFetch.ts"
import { hostFetch } from "./hostFetch.ts"
import type { NetworkPolicy } from "./networkPolicy.ts"
import { memoize } from "./memoize.ts"
import { sign } from "./signature.ts"
import type { Answer, NoAnswer, Transport } from "./Transport.ts"
import { encodeEventBody } from "./wire/EventBody.ts"

/** How callbacks reach their receivers. Default: https on port 443 to public addresses. */
export type CallbackFetchOptions =
  | (GuardedFetchOptions & { readonly fetch?: never })
  /** With the host's `fetch`, only the URL's text is checked. The host must check the addresses that it dials. */
  | (NetworkPolicy & { readonly fetch: typeof globalThis.fetch })

const rules: OptionRules<CallbackFetchOptions> = {
  allowHttp: aFlag,
  allowPrivateNetworks: aFlag,
  ports: {
    mustBe: 'a list of ports, or "any"',
    holds: (value) => value === "any" || (Array.isArray(value) && value.every(Number.isInteger)),
  },
  ca: {
    mustBe: "a certificate as a PEM text, or a list of them",
    holds: (value) => [value].flat().every((pem) => typeof pem === "string"),
  },
  resolve: aFunction,
  fetch: aFunction,
}

type HttpTarget = Extract<Endpoint["target"], { readonly _tag: "Http" }>

/** The result of `callbackFetch`, named because a host's declarations then don't need `@pixcharge/core`. */
export interface CallbackFetch extends Layer.Layer<CallbackDelivery> {}

/**
 * Delivers events by signed POST (Standard Webhooks, decisions 23 and 24), through `guardedFetch` or the option `fetch`. A
 * failed delivery is an outcome, never an error. Throws `InvalidOption`.
 *
 * @example
 * const pix = createPix({ ...options, callbacks: callbackFetch() })
 */
export const callbackFetch = (options: CallbackFetchOptions = {}): CallbackFetch => {
  checkOptions("callbackFetch", options, rules)
  return Layer.effect(
    CallbackDelivery,
    Effect.map(
      options.fetch ? Effect.succeed(hostFetch(options.fetch, options)) : guardedFetch(options),
      (transport) => ({
        deliver: (event, { target, kinds }) =>
          target._tag === "Http"
            ? post({ id: event.id, body: encodeEventBody(event, kinds) }, target, transport)
            : Effect.succeed(makeRetry("the endpoint is a function of the host, not a URL")),
      }),
    ),
  )
}

const readKey = memoize(parseCallbackSecret)

const makeRetry = (reason: string): DeliveryOutcome => ({ _tag: "Retry", reason })

interface Message {
  readonly id: string
  readonly body: string
}

const post = (message: Message, target: HttpTarget, transport: Transport): Effect.Effect<DeliveryOutcome> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const keys = target.secrets.map((secret) => readKey(Redacted.value(secret))).filter((key) => key !== undefined)
    if (keys.length === 0) return Effect.succeed(makeRetry("the endpoint has no valid secret"))
    const headers = signHeaders(message, keys, Context.getOption(context, Tracer.ParentSpan))
    return Effect.match(transport.send({ url: target.url, headers, body: message.body }), {
      onSuccess: readAnswer,
      onFailure: ({ reason }: NoAnswer) => makeRetry(reason),
    })
  })

const signHeaders = ({ id, body }: Message, keys: ReadonlyArray<Uint8Array>, span: Option.Option<Tracer.AnySpan>) => {
  // This is real time even in a sandbox, because receivers compare it with their clock.
  const timestamp = Math.floor(Date.now() / 1_000)
  return {
    "content-type": "application/json",
    "user-agent": "pixcharge",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": keys.map((key) => sign({ id, timestamp, body }, key)).join(" "),
    ...(Option.isSome(span) && { traceparent: traceparent(span.value) }),
  }
}

/** The header `traceparent` of W3C Trace Context. */
const traceparent = ({ traceId, spanId, sampled }: Tracer.AnySpan): string =>
  `00-${traceId.padStart(32, "0")}-${spanId}-${sampled ? "01" : "00"}`

const readAnswer = ({ status, head, retryAfter }: Answer): DeliveryOutcome => {
  const facts = { status, ...(head !== "" && { answer: head }) }
  if (status >= 200 && status < 300) return { _tag: "Delivered", ...facts }
  if (status === 410) return { _tag: "Gone", ...facts }
  const waitMs = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, Date.now())
  const reason = status >= 300 && status < 400 ? "redirects are not followed" : `HTTP ${status}`
  return { _tag: "Retry", reason, ...facts, ...(waitMs !== undefined && { retryAfterMs: waitMs }) }
}
