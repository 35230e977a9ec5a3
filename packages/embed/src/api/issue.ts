import { InvalidOption } from "@pixcharge/core"
import { type ChargeRequestInput, type IssuedCharge, parseChargeRequest } from "@pixcharge/core/charges"
import { chargeRequestFields, type FieldsOf, hasMethods, type IssueResult } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { PixError } from "../PixError.ts"
import type { Services } from "../instance/services.ts"
import type { Administration } from "./Administration.ts"
import { type Calls, recordIfNamed } from "./calls.ts"
import { checkFields } from "./checkFields.ts"
import { type PlainCharge, toPlainCharge, toPlainNow } from "./plain.ts"

/** The outcome of one request of `issueMany`: its charge, or the error that `issue` rejects with. */
export type PlainIssueResult = IssueResult<ChargeRequestInput, PlainCharge<IssuedCharge>, PixError>

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
  ({ asCompany }: Calls<Services>): Administration["issue"] =>
  (issuer, given) =>
    asCompany(issuer, (services, company) =>
      Effect.flatMap(readRequest("issue(issuer, request)", services, company, given), (request) =>
        toPlainNow(services.charges.issue(company, request)),
      ),
    )

const manyCall = "issueMany(issuer, requests, options)"

const manyOptions: FieldsOf<IssueManyOptions> = { signal: true }

const checkMany = Effect.fnUntraced(function* (requests: unknown, options: IssueManyOptions) {
  const isSource = [Symbol.iterator, Symbol.asyncIterator].some(
    (name) => typeof Reflect.get(Object(requests), name) === "function",
  )
  if (!isSource || typeof requests === "string") {
    return yield* new InvalidOption({
      message: `${manyCall}: requests must be an iterable or async iterable of charge requests.`,
    })
  }
  yield* checkFields(manyCall, options, manyOptions)
  if (options.signal !== undefined && !hasMethods(options.signal, "addEventListener", "removeEventListener")) {
    return yield* new InvalidOption({ message: `${manyCall}: signal must be an AbortSignal.` })
  }
})

async function* readAll(requests: Iterable<ChargeRequestInput> | AsyncIterable<ChargeRequestInput>) {
  yield* requests
}

const whenAborted = (signal: AbortSignal): Effect.Effect<never, unknown> =>
  Effect.callback((resume) => {
    const fail = () => resume(Effect.fail(signal.reason))
    if (signal.aborted) return fail()
    signal.addEventListener("abort", fail)
    return Effect.sync(() => signal.removeEventListener("abort", fail))
  })

const toPlain = ({ charge, ...result }: IssueResult<ChargeRequestInput, IssuedCharge, PixError>, now: number) =>
  (charge === undefined ? result : { ...result, charge: toPlainCharge(charge, now) }) as PlainIssueResult

export const makeIssueMany = ({ asCompany, closing }: Calls<Services>): Administration["issueMany"] =>
  async function* (issuer, requests, options = {}) {
    const { signal } = options
    const stop =
      signal === undefined ? whenAborted(closing) : Effect.raceFirst(whenAborted(closing), whenAborted(signal))
    const results = await asCompany(
      issuer,
      Effect.fnUntraced(function* (services, company) {
        yield* checkMany(requests, options)
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
