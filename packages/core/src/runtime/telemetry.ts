import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"

/** Codes, ids, statuses and places in the code, but no prose. */
export interface FailureFacts {
  /** The error's tag, or its class. */
  readonly error: string
  readonly [fact: string]: unknown
}

/** An endToEndId has 32 letters and digits (Manual de Padrões para Iniciação do Pix). */
const endToEndId = /^[0-9A-Za-z]{32}$/

export const paymentLabel = (id: string): string => (endToEndId.test(id) ? id : "of an odd id")

const isWithin = (low: number, high: number) => (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value >= low && value <= high

const matches = (pattern: RegExp) => (value: unknown) => typeof value === "string" && pattern.test(value)

/** Error fields that logs show, if the value has the expected form. */
const safeFields: Readonly<Record<string, (value: unknown) => boolean>> = {
  operation: matches(/^[A-Za-z]{1,40}$/),
  issuer: matches(/^[0-9A-Z]{12}\d{2}$/),
  id: matches(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  endToEndId: matches(endToEndId),
  // A SQLSTATE, or a code of the system, Node or OpenSSL. Our own codes repeat the tag.
  code: matches(/^(?!PIX_)(?:[0-9A-Z]{5}|[A-Z][A-Z0-9]*_[A-Z0-9_]{1,60}|E[A-Z]{2,20})$/),
  sqlState: matches(/^(?:[0-9A-Z]{5}|E[A-Z]{2,20})$/),
  status: isWithin(100, 599),
  retryAfterMs: isWithin(0, Number.MAX_SAFE_INTEGER),
}

/** Our adapters' reasons for an unanswered call, including OAuth codes. */
const knownReason =
  /^(?:HTTP [1-5]\d\d(?: (?:invalid_(?:request|client|grant|scope|token)|unauthorized_client|unsupported_grant_type|insufficient_scope))?|[a-z]{3,12}[A-Z][a-z]{3,12}$|no answer within \d{1,7} ms$)/

const tagged = /^[A-Z][A-Za-z]{2,60}$/
const errorClass = /^[A-Z][A-Za-z]{0,50}(?:Error|Exception)$/

const errorName = (error: object): string => {
  if ("_tag" in error && matches(tagged)(error._tag)) return String(error._tag)
  const name: unknown = "name" in error ? error.name : undefined
  return matches(errorClass)(name) ? String(name) : "Error"
}

// Node writes no lines longer than 600 characters, and longer lines would be slow to match.
const place = /^(?=.{1,600}$) {4}at .*?\(?((?:file:\/\/|node:|\/|[A-Z]:\\)[\w@./+\\-]{1,300}:\d+:\d+)\)?$/
const maxPlaces = 5

const readPlaces = ({ stack = "", message }: Error): ReadonlyArray<string> => {
  const begin = stack.indexOf(message)
  if (begin < 0) return []
  const lines = stack.slice(begin + message.length).split("\n")
  return lines.flatMap((line) => place.exec(line)?.[1] ?? []).slice(0, maxPlaces)
}

/** Limits the chain of causes, because an error can be its own cause. */
const maxCauses = 5

const readFacts = (error: unknown, depth: number): FailureFacts => {
  if (Redacted.isRedacted(error)) return readFacts(Redacted.value(error), depth)
  if (Cause.isCause(error)) {
    return Cause.hasInterruptsOnly(error) ? { error: "Interrupted" } : readFacts(Cause.squash(error), depth)
  }
  if (typeof error === "string") return { error: knownReason.exec(error)?.[0] ?? "text" }
  if (!Predicate.isObject(error)) return { error: typeof error }
  const fields: Readonly<Record<string, unknown>> = error
  const facts = Object.entries(safeFields).flatMap(([name, isSafe]) =>
    isSafe(fields[name]) ? [[name, fields[name]]] : [],
  )
  const at = error instanceof Error && !("_tag" in error) ? readPlaces(error) : []
  const cause = fields["cause"]
  return {
    error: errorName(error),
    ...Object.fromEntries(facts),
    ...(at.length > 0 && { at }),
    ...(Predicate.isNotNullish(cause) && depth < maxCauses && { cause: readFacts(cause, depth + 1) }),
  }
}

/**
 * The safe facts of a failure. Messages, reasons and causes can quote a payer's name, a tax id, an address or a token (decision
 * 25).
 */
export const failureFacts = (failure: unknown): FailureFacts => readFacts(failure, 0)

/** Logs any failure, including defects of a host's port, and continues. */
export const logAndContinue =
  (message: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | undefined, never, R> =>
    Effect.catchCause(effect, (cause) => Effect.as(logFailure("Warn", message, cause), undefined))

/** Logs a message with the failure's safe facts. The failure itself is passed as `Redacted`. */
export const logFailure = (level: "Warn" | "Error", message: string, failure: unknown): Effect.Effect<void> =>
  Effect.logWithLevel(level)(message, failureFacts(failure), Redacted.make(failure))

class FailureInSpan extends Error {
  /** The `error` of `failureFacts`. */
  readonly _tag: string

  constructor(cause: Cause.Cause<unknown>) {
    const { error, ...facts } = failureFacts(cause)
    super(JSON.stringify(facts))
    this.name = error
    this._tag = error
    this.stack = ""
  }
}

/**
 * `useSpan` for effects whose failure can hold a payer's data. The span ends with the safe facts of the failure; the effect ends
 * unchanged.
 */
export const useSafeSpan = <A, E, R>(
  name: string,
  options: Tracer.SpanOptionsNoTrace,
  evaluate: (span: Tracer.Span) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
  Effect.suspend(() => {
    let exit: Exit.Exit<A, E> = Exit.interrupt()
    const spanned = Effect.useSpan(name, options, (span) =>
      Effect.matchCauseEffect(Effect.provideService(evaluate(span), Tracer.ParentSpan, span), {
        onSuccess: (value) => {
          exit = Exit.succeed(value)
          return Effect.void
        },
        onFailure: (cause) => {
          exit = Exit.failCause(cause)
          return Cause.hasInterruptsOnly(cause) ? Exit.interrupt() : Effect.fail(new FailureInSpan(cause))
        },
      }),
    )
    return Effect.andThen(
      Effect.ignore(spanned),
      Effect.suspend(() => exit),
    )
  })

export const isTraced = (caller: Fiber.Fiber<unknown, unknown>): boolean =>
  caller.getRef(Tracer.Tracer) !== Tracer.Tracer.defaultValue()

/** `withSpan`, as safe as `useSafeSpan`; no span without a tracer. */
export const safeSpan =
  (name: string, attributes: Readonly<Record<string, unknown>> = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
    Effect.withFiber((caller) =>
      isTraced(caller)
        ? useSafeSpan(name, { attributes }, () => effect)
        : (effect as Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>>),
    )
