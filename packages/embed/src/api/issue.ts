import { InvalidOption, type StoreUnavailable } from "@pixcharge/core"
import {
  type ChargeRequestInput,
  type InvalidChargeRequest,
  type IssuedCharge,
  parseChargeRequest,
} from "@pixcharge/core/charges"
import {
  anObject,
  chargeRequestFields,
  type FieldsOf,
  hasMethods,
  type IssueError,
  type IssueResult,
  unknownField,
} from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type { Services } from "../instance/services.ts"
import { type Calls, recordIfNamed } from "./calls.ts"
import { checkFields } from "./checkFields.ts"
import { type PlainCharge, toPlainCharge, toPlainNow } from "./plain.ts"

type Refusal = IssueError | InvalidChargeRequest | InvalidOption | StoreUnavailable

/** The charge of one request of `issueMany`, or the error that `issue` rejects with. */
export type PlainIssueResult = IssueResult<ChargeRequestInput, PlainCharge<IssuedCharge>, Refusal>

export interface IssueManyOptions {
  /** Ends the run: the requests under way are answered, then the loop throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

const readRequest = Effect.fnUntraced(function* (
  call: string,
  { audit }: Services,
  company: Cnpj,
  given: ChargeRequestInput,
) {
  yield* checkFields(call, given, chargeRequestFields)
  const request = yield* Effect.fromResult(parseChargeRequest(given))
  yield* recordIfNamed(audit, company, { kind: "issueRequested", chargeId: request.id })
  return request
})

export const makeIssue =
  ({ asCompany }: Calls<Services>) =>
  (issuer: string, given: ChargeRequestInput): Promise<PlainCharge<IssuedCharge>> =>
    asCompany(issuer, (services, company) =>
      Effect.flatMap(readRequest("issue(issuer, request)", services, company, given), (request) =>
        toPlainNow(services.charges.issue(company, request)),
      ),
    )

const manyCall = "issueMany(issuer, requests, options)"

const manyOptions: FieldsOf<IssueManyOptions> = { signal: true }

const isSource = (requests: unknown): boolean =>
  Predicate.isObjectOrArray(requests) && (Symbol.iterator in requests || Symbol.asyncIterator in requests)

const isSignal = (signal: unknown): boolean => hasMethods(signal, "addEventListener", "removeEventListener")

const findFlaw = (requests: unknown, options: unknown): string | undefined => {
  if (!isSource(requests)) return "requests must be an iterable or async iterable of charge requests"
  if (!anObject.holds(options)) return "options must be an object"
  const { signal } = options as IssueManyOptions
  if (signal !== undefined && !isSignal(signal)) return "signal must be an AbortSignal"
  return unknownField(options, manyOptions)
}

type Requests = Iterable<ChargeRequestInput> | AsyncIterable<ChargeRequestInput>

async function* readAll(requests: Requests) {
  yield* requests
}

const whenAborted = (signal: AbortSignal): Effect.Effect<never, unknown> =>
  Effect.callback((resume) => {
    const fail = () => resume(Effect.fail(signal.reason))
    if (signal.aborted) return fail()
    signal.addEventListener("abort", fail)
    return Effect.sync(() => signal.removeEventListener("abort", fail))
  })

const toPlain = ({ charge, ...result }: IssueResult<ChargeRequestInput, IssuedCharge, Refusal>, now: number) =>
  (charge === undefined ? result : { ...result, charge: toPlainCharge(charge, now) }) as PlainIssueResult

export const makeIssueMany = ({ asCompany, closing }: Calls<Services>) =>
  async function* (
    issuer: string,
    requests: Requests,
    options: IssueManyOptions = {},
  ): AsyncGenerator<PlainIssueResult, void> {
    const results = await asCompany(
      issuer,
      Effect.fnUntraced(function* (services, company) {
        const flaw = findFlaw(requests, options)
        if (flaw !== undefined) return yield* new InvalidOption({ message: `${manyCall}: ${flaw}.` })
        const stop = Effect.raceAllFirst(
          [closing, options.signal].flatMap((signal) => (signal === undefined ? [] : whenAborted(signal))),
        )
        const source = Stream.fromAsyncIterable(readAll(requests), (thrown) => thrown)
        const read = (given: ChargeRequestInput) => readRequest(manyCall, services, company, given)
        const issued = services.charges.issueMany(company, source, read, stop)
        return yield* Stream.toAsyncIterableEffect(
          Stream.mapEffect(issued, (result) => Effect.map(Clock.currentTimeMillis, (now) => toPlain(result, now))),
        )
      }),
    )
    yield* results
  }
