import { ProcessorUnavailable } from "@pixcharge/core"
import { parseRetryAfter, safeSpan } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { type HttpAnswer, type HttpRequest, makeUnanswered, PspUnanswered } from "../connection/Transport.ts"
import type { Connection } from "../connection/openConnection.ts"
import type { PacedCall, PspWays } from "../profiles/PspProfile.ts"
import { PspRefusal } from "../wire/Problem.ts"
import { fetchToken, makeAccessToken } from "./AccessToken.ts"
import { type BankClock, makeBankClock } from "./BankClock.ts"
import {
  type BankGate,
  type CallBudget,
  makeBankGate,
  makeCallBudget,
  makeNoticeGate,
  maxPauseWaitMs,
  noticeBudget,
} from "./BankGate.ts"
import { Pace, type Urgency } from "./Pace.ts"
import { callRequest, type PspCall } from "./PspCall.ts"
import { readAnswer } from "./readAnswer.ts"

export interface PspClient {
  readonly stage: Connection["stage"]
  readonly profile: PspWays
  readonly tokenUrls: Connection["tokenUrls"]
  readonly clock: BankClock
  /** Equal for clients whose connections show the same account. */
  readonly accountKey: string
  /** The account that receives debits of recurrences, or why it is missing. */
  readonly receivingAccount: Connection["receivingAccount"]
  /** Whether the host says that the txid belongs to another system. */
  readonly isForeignTxid: (txid: string | undefined) => boolean
  readonly webhookHeaders: Readonly<Record<string, string>>
  /** Fails with `PspRefusal` if the bank refuses, and with `ProcessorUnavailable` if it gives no usable answer. */
  readonly call: <A>(call: PspCall<A>) => Effect.Effect<A, PspRefusal | ProcessorUnavailable>
}

/** A company's clients. `call` itself is for calls that a user waits for. */
export interface BankClient extends PspClient {
  readonly pace: Pace
  readonly forRefunds: PspClient
  /** For charges of `issueMany`: leaves sockets and pace to calls that somebody waits for. */
  readonly forMany: PspClient
  /** For look-ups and lists, which use at most half of the bank's pace. */
  readonly forChecks: PspClient
  /** For notices of unpaid charges, with a budget. Their failures don't slow other calls. */
  readonly forNotices: PspClient
  /** For all other notices, with a budget, because anyone who knows the URL can send them. */
  readonly forStrays: PspClient
  readonly strayBudget: CallBudget
}

const maxPauseMs = 3_600_000
/** The pause after a 429 without `Retry-After`. */
const presumedPauseMs = 1_000

const maxRetries = 2
const retrySchedule = Schedule.exponential("100 millis").pipe(Schedule.jittered)
/** A call's time limit, as a multiple of one attempt's timeout. */
const deadlineFactor = 2.5

/** A connection has 32 sockets. */
const maxCallsOfMany = 24

const isBankFailure = (status: number): boolean => status >= 500 || status === 408 || status === 425

const isTokenRefusal = ({ tokenRefusals }: PspWays, { status, text }: HttpAnswer): boolean =>
  status === 401 ||
  tokenRefusals.some((known) => known.status === status && text.toLowerCase().includes(known.says.toLowerCase()))

const retryCall = <A>(
  { once }: PspCall<A>,
  attempt: Effect.Effect<A, PspUnanswered | PspRefusal>,
): Effect.Effect<A, PspUnanswered | PspRefusal> =>
  Effect.suspend(() => {
    let isUnanswered = false
    return attempt.pipe(
      Effect.tapErrorTag("PspUnanswered", ({ isNotExecuted }) =>
        Effect.sync(() => void (isUnanswered ||= isNotExecuted !== true)),
      ),
      Effect.retry({
        schedule: retrySchedule,
        times: maxRetries,
        while: (error) =>
          error._tag === "PspUnanswered" && error.mayRetry && (once !== true || error.isNotExecuted === true),
      }),
      Effect.catchTag("PspRefusal", (refusal) =>
        Effect.fail(isUnanswered ? new PspRefusal({ ...refusal, hasUnansweredAttempt: true }) : refusal),
      ),
    )
  })

const checkHealth = Effect.fnUntraced(function* (
  { pace: { pauseMs: usualPauseMs = presumedPauseMs } }: PspWays,
  { breaker, pause }: BankGate,
  answer: HttpAnswer,
): Effect.fn.Return<HttpAnswer, PspUnanswered> {
  const { status, retryAfter } = answer
  const waitMs = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, yield* Clock.currentTimeMillis)
  const requestedMs = waitMs === undefined ? undefined : Math.min(waitMs, maxPauseMs)
  const waitField = requestedMs !== undefined && { retryAfterMs: requestedMs }
  if (status === 429) {
    const pauseMs = requestedMs ?? usualPauseMs
    yield* pause(pauseMs)
    return yield* new PspUnanswered({ cause: "HTTP 429", mayRetry: true, retryAfterMs: pauseMs, isNotExecuted: true })
  }
  if (isBankFailure(status)) {
    yield* breaker.failed
    return yield* new PspUnanswered({
      cause: `HTTP ${status}`,
      mayRetry: (requestedMs ?? 0) <= maxPauseWaitMs,
      ...waitField,
    })
  }
  yield* breaker.succeeded
  return answer
})

const sendThrough =
  ({ transport, timeoutMs, profile }: Connection, gate: BankGate, clock: BankClock) =>
  (urgency: Urgency, call: PacedCall, request: HttpRequest): Effect.Effect<HttpAnswer, PspUnanswered> => {
    const sent = Effect.tryPromise({
      try: (signal) => transport.send(request, signal),
      catch: (cause) => (cause instanceof PspUnanswered ? cause : makeUnanswered(Redacted.make(cause))),
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMs,
        orElse: () => Effect.fail(makeUnanswered(`no answer within ${timeoutMs} ms`)),
      }),
      Effect.tapError(() => gate.breaker.failed),
      Effect.tap(({ date }) => (date === undefined ? Effect.void : clock.learnDate(date))),
      Effect.flatMap((answer) => checkHealth(profile, gate, answer)),
    )
    return gate.pass({ urgency, call, maxWaitMs: (deadlineFactor - 1) * timeoutMs }, sent)
  }

const callThrough = (connection: Connection, scope: Scope.Scope, gate: BankGate, clock: BankClock) => {
  const { timeoutMs, profile } = connection
  const send = sendThrough(connection, gate, clock)
  const accessToken = makeAccessToken(
    // Token requests have the highest urgency, because all calls wait for them.
    fetchToken(connection, (request) => send("issue", "token", request)),
    scope,
  )
  const getToken = Effect.mapError(
    accessToken.get,
    // The spread omits the cause, because an error's `cause` isn't enumerable.
    (error) => new PspUnanswered({ ...error, cause: error.cause, isNotExecuted: true }),
  )

  const attempt = Effect.fnUntraced(function* (
    urgency: Urgency,
    call: PspCall<unknown>,
  ): Effect.fn.Return<HttpAnswer, PspUnanswered> {
    const endpoint = `${call.method} ${call.path.resource}` as const
    const token = yield* getToken
    const answer = yield* send(urgency, endpoint, callRequest(connection, call, token))
    if (!isTokenRefusal(profile, answer)) return answer
    // The bank can have revoked the token early.
    yield* accessToken.forget(token)
    const again = yield* send(urgency, endpoint, callRequest(connection, call, yield* getToken))
    return isTokenRefusal(profile, again)
      ? yield* makeUnanswered(`the bank refuses a fresh token (HTTP ${again.status})`, false)
      : again
  })

  return (urgency: Urgency): PspClient["call"] =>
    (given) => {
      const { operation } = given
      const answered = Effect.flatMap(attempt(urgency, given), (answer) =>
        Effect.flatMap(clock.now, (now) => readAnswer(profile, given, answer, now)),
      )
      return retryCall(given, answered).pipe(
        Effect.timeoutOrElse({
          duration: timeoutMs * deadlineFactor,
          orElse: () => Effect.fail(makeUnanswered("no answer within the deadline")),
        }),
        Effect.catchTag("PspUnanswered", ({ cause, retryAfterMs }) =>
          Effect.fail(
            new ProcessorUnavailable({ operation, cause, ...(retryAfterMs !== undefined && { retryAfterMs }) }),
          ),
        ),
        safeSpan(`ApiPix.${operation}`),
      )
    }
}

/** A host function that throws counts as false: the payment is then recorded. */
const foreignTxids =
  ({ isForeignTxid }: Connection): PspClient["isForeignTxid"] =>
  (txid) => {
    try {
      return txid !== undefined && isForeignTxid(txid) === true
    } catch {
      return false
    }
  }

export const makePspClient = (
  connection: Connection,
  scope: Scope.Scope,
  pace: Pace = new Pace(connection.profile.pace),
): BankClient => {
  const { stage, profile, accountKey, receivingAccount, tokenUrls, webhookHeaders } = connection
  const clock = makeBankClock()
  const call = callThrough(connection, scope, makeBankGate(pace), clock)
  const placesOfMany = Semaphore.makeUnsafe(maxCallsOfMany)
  const callForMany = call("many")
  const callForNotices = callThrough(connection, scope, makeNoticeGate(pace), clock)
  const strayBudget = makeCallBudget(noticeBudget)
  const callForStrays = callThrough(connection, scope, makeNoticeGate(pace, strayBudget), clock)
  const common = {
    stage,
    profile,
    tokenUrls,
    accountKey,
    receivingAccount,
    isForeignTxid: foreignTxids(connection),
    webhookHeaders,
    clock,
  }
  return {
    ...common,
    pace,
    call: call("issue"),
    forRefunds: { ...common, call: call("refund") },
    forMany: { ...common, call: (given) => placesOfMany.withPermit(callForMany(given)) },
    forChecks: { ...common, call: call("check") },
    forNotices: { ...common, call: callForNotices("notice") },
    forStrays: { ...common, call: callForStrays("stray") },
    strayBudget,
  }
}
