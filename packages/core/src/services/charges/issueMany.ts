import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { ChargeRequest } from "../../model/charge/ChargeRequest.ts"
import type { IssuedCharge } from "../../model/charge/Issue.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { type Attempts, IssueRun, unanswered, type Unanswered } from "./IssueRun.ts"

/** Counts requests under way, waiting for another try, and results that wait for the caller. */
const maxInMemory = 100

/** The outcome of one of many requests. */
export type IssueResult<Request, Charge, Refusal> = {
  readonly request: Request
  /** The results so far, with this one. */
  readonly done: number
  /** The results with an `error` so far. */
  readonly failed: number
} & (
  | { readonly charge: Charge; readonly error?: undefined }
  /** Why the request was refused or stayed unanswered. */
  | { readonly charge?: undefined; readonly error: Refusal }
)

/** A stored charge takes no call to the processor. */
const isStoredSince =
  (now: number) =>
  ({ updatedAt }: IssuedCharge): boolean =>
    updatedAt >= now

/** See `PixCharges.issueMany`. */
export const makeIssueMany = <Refusal>(
  issue: (issuer: Cnpj, request: ChargeRequest) => Effect.Effect<IssuedCharge, Refusal>,
  attempts: Attempts,
) => {
  const issueOne = <E, End>(
    run: IssueRun<End | E | Refusal>,
    issuer: Cnpj,
    reading: Effect.Effect<ChargeRequest, E>,
  ): Effect.Effect<IssuedCharge, E | Refusal | Unanswered> =>
    Effect.gen(function* () {
      const request = yield* run.attempt(reading, () => false)
      const issuing = issue(issuer, { ...request, isOneOfMany: true })
      const isPaced = isStoredSince(yield* Clock.currentTimeMillis)
      return yield* run.inTurn(request.id, run.attempt(issuing, isPaced))
    })

  return <Request, E, SourceError, R, StopError = never>(
    issuer: Cnpj,
    requests: Stream.Stream<Request, SourceError, R>,
    read: (request: Request) => Effect.Effect<ChargeRequest, E>,
    stop: Effect.Effect<never, StopError> = Effect.never,
  ): Stream.Stream<IssueResult<Request, IssuedCharge, Refusal | E>, Refusal | E | SourceError | StopError, R> =>
    Stream.unwrap(
      Effect.gen(function* () {
        const run = new IssueRun<Refusal | E | StopError>(attempts)
        yield* Effect.forkScoped(Effect.catchCause(stop, (cause) => run.endWith(cause)))
        const answerOne = (request: Request) =>
          Effect.map(Effect.result(run.answer(issueOne(run, issuer, read(request)))), (answer) => ({ request, answer }))
        return requests.pipe(
          Stream.interruptWhen(run.end),
          Stream.mapEffect((request) => Effect.as(run.enter, request)),
          Stream.mapEffect(answerOne, { concurrency: maxInMemory, unordered: true }),
          Stream.filterMap(makeCount<Request, Refusal | E>()),
          Stream.concat(Stream.fromEffectDrain(run.endedEarly)),
        )
      }),
    )
}

interface Answered<Request, Refusal> {
  readonly request: Request
  readonly answer: Result.Result<IssuedCharge, Refusal | Unanswered>
}

/** Adds the progress; drops requests without a result. */
const makeCount = <Request, Refusal>() => {
  let done = 0
  let failed = 0
  return ({
    request,
    answer,
  }: Answered<Request, Refusal>): Result.Result<IssueResult<Request, IssuedCharge, Refusal>, void> => {
    if (Result.isSuccess(answer)) return Result.succeed({ request, charge: answer.success, done: ++done, failed })
    const error = answer.failure
    return error === unanswered
      ? Result.fail(undefined)
      : Result.succeed({ request, error, done: ++done, failed: ++failed })
  }
}
