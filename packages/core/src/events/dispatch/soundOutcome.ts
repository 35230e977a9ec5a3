import * as Predicate from "effect/Predicate"
import type { DeliveryOutcome } from "../../ports/CallbackDelivery.ts"
import { storableText } from "../../runtime/storable/StorableText.ts"

const maxTextLength = 1_024
// No log should hold these.
const control = /(?![\n\t])\p{Cc}/gu

/** A text's first kilobyte, so that every store and log can keep it. */
const soundText = (text: unknown): string => storableText(String(text).slice(0, maxTextLength)).replaceAll(control, "")

const isStatus = (status: unknown): status is number =>
  typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599

const isDelay = (ms: unknown): ms is number => typeof ms === "number" && ms >= 0

/** A delivery that broke without an outcome. */
export const broken: DeliveryOutcome = { _tag: "Retry", reason: "the delivery itself broke" }

/**
 * The outcome in values that can be computed with and stored, for any answer of a delivery of the host's own: a status of
 * HTTP, a `Retry-After` that is a number, texts of a kilobyte at most that every store takes.
 */
export const soundOutcome = (answered: DeliveryOutcome): DeliveryOutcome => {
  const { _tag, status, answer, ...more }: Partial<DeliveryOutcome> = answered ?? {}
  const facts = {
    ...(isStatus(status) && { status }),
    ...(Predicate.isNotNullish(answer) && { answer: soundText(answer) }),
  }
  if (_tag === "Delivered" || _tag === "Gone") return { ...facts, _tag }
  if (_tag !== "Retry") return broken
  const { reason = "", retryAfterMs }: { readonly reason?: string; readonly retryAfterMs?: number } = more
  const retryAfter = isDelay(retryAfterMs) && { retryAfterMs: Math.min(retryAfterMs, Number.MAX_SAFE_INTEGER) }
  return { ...facts, _tag, reason: soundText(reason), ...retryAfter }
}
