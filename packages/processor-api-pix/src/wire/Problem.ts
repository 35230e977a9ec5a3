import type { Prose } from "@pixcharge/core"
import { TaggedError } from "@pixcharge/core/internal"
import * as Redacted from "effect/Redacted"
import { readReason } from "./readReason.ts"

/**
 * The bank understood the call and refused it (`application/problem+json`, RFC 7807).
 *
 * @remedy Read why with `Redacted.value(error.reason)`.
 * @repeat No: it would be refused again.
 */
export class PspRefusal extends TaggedError("PspRefusal")<{
  readonly status: number
  /** The last segment of `type`, like `CobVOperacaoInvalida`, or the bank's own name or code; absent where it has none. */
  readonly kind?: string
  /** What the bank says of it, for people; documents and e-mail addresses are hidden, names can't be. */
  readonly reason: Prose
  /** The same call was sent before and got no answer: the bank may carry that one out later. */
  readonly hasUnansweredAttempt?: true
  /**
   * The bank has nothing to show, and says so in no words of its own: by 204, an empty answer, or a 404 that may be a
   * proxy's. Nothing irrevocable may follow from it.
   */
  readonly isBare?: true
}> {
  override get message(): string {
    return `The bank refused the call with status ${this.status}: Redacted.value(error.reason) says why.`
  }
}

const maxReasonLength = 300
/** Hiding a document leaves a sixth of it, so that what is read fills the reason, and none is cut in two within it. */
const maxReadLength = 8 * maxReasonLength
/** What a bank writes instead of a name may hold a payer's data: a document has at least eleven digits. */
const kindForm = /^(?!(?:\D*\d){11})[\w-]{1,100}$/
const apart = String.raw`[\s./-]{0,3}`
/**
 * Eleven digits or fourteen, however they are spaced; a CNPJ with letters, written whole or with its mask; an address, of which
 * at most 64 characters stand before the `@` (RFC 5321).
 */
const payers = new RegExp(
  [
    String.raw`(?:\d${apart}){10}\d(?:(?:${apart}\d){3})?`,
    String.raw`[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2}`,
    String.raw`[^\s@<>"]{1,64}@[^\s@<>"]{1,100}`,
  ].join("|"),
  "g",
)

/** A document or an address that a bank repeats must not reach logs or callers (decision 25). */
const hidePayers = (text: string): string => text.replace(payers, "***")

/** What a refusal says; a body of another form leaves the status to speak. */
export const readRefusal = (status: number, json: unknown): PspRefusal => {
  const { kind, said } = readReason(json)
  return new PspRefusal({
    status,
    reason: Redacted.make(hidePayers(said.slice(0, maxReadLength) || `HTTP ${status}`).slice(0, maxReasonLength)),
    ...(kind !== undefined && kindForm.test(kind) && hidePayers(kind) === kind && { kind }),
  })
}

/** For what was asked for, and is not there, without a word of the bank's. */
export const bareAbsence = (status: number): PspRefusal =>
  new PspRefusal({ status: 404, reason: Redacted.make(`HTTP ${status} without content`), isBare: true })
