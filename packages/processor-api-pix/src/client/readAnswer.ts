import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { type HttpAnswer, makeUnanswered, type PspUnanswered } from "../connection/Transport.ts"
import type { PspWays } from "../profiles/PspProfile.ts"
import { brasiliaInstants } from "../wire/Instant.ts"
import { bareAbsence, PspRefusal, readRefusal } from "../wire/Problem.ts"
import type { Reader } from "../wire/Reader.ts"
import { parseJson, readSigned } from "../wire/parseJson.ts"
import type { PspCall } from "./PspCall.ts"

/** An empty body counts as JSON without a value: some banks return only status 200. */
const parseBody = (text: string): Option.Option<unknown> =>
  text.trim() === "" ? Option.some(undefined) : Option.orElse(parseJson(text), () => readSigned(text))

/** Whether this is a 404 or 410 without a reason, like a proxy's page. */
const isBareRefusal = (status: number, json: Option.Option<unknown>): boolean => {
  if (status !== 404 && status !== 410) return false
  return Option.isNone(json) || !Predicate.isObjectOrArray(json.value) || Object.keys(json.value).length === 0
}

const isBareAbsence = (status: number, json: Option.Option<unknown>): boolean => {
  if (status < 200 || status >= 300 || Option.isNone(json)) return isBareRefusal(status, json)
  return Predicate.isNullish(json.value) || (Predicate.isObject(json.value) && Object.keys(json.value).length === 0)
}

const aheadMs = 60_000

const findReader = <A>(
  { localInstants, zonelessInstants }: PspWays,
  { method, path, read }: PspCall<A>,
  now: number,
): Reader<A> => {
  const which = {
    zoneless: zonelessInstants === "brasilia",
    marked: localInstants.includes(`${method} ${path.resource}`),
    latest: now + aheadMs,
  }
  return which.zoneless || which.marked ? (json) => read(brasiliaInstants(json, which)) : read
}

const readWith = <A>(
  read: Reader<A>,
  { mayBeMissing }: PspCall<A>,
  { status, text }: HttpAnswer,
): Effect.Effect<A, PspUnanswered | PspRefusal> => {
  const json = parseBody(text)
  if (mayBeMissing === true && isBareAbsence(status, json)) return Effect.fail(bareAbsence(status))
  if (status >= 200 && status < 300) {
    // The bank can have executed the call. A retry can show whether it did.
    if (Option.isNone(json)) return makeUnanswered("the answer is no JSON")
    return Effect.mapError(Effect.fromResult(read(json.value)), (cause) => makeUnanswered(cause, false))
  }
  // Such an answer comes from a proxy, not from the bank.
  if (Option.isNone(json) || Predicate.isNullish(json.value) || status < 400 || isBareRefusal(status, json)) {
    return makeUnanswered(`HTTP ${status} without JSON that says why`, false)
  }
  return Effect.fail(readRefusal(status, json.value))
}

const toMissing =
  ({ absentKinds }: PspWays) =>
  (error: PspUnanswered | PspRefusal): PspUnanswered | PspRefusal =>
    error._tag === "PspRefusal" && error.kind !== undefined && absentKinds.includes(error.kind)
      ? new PspRefusal({ ...error, status: 404 })
      : error

/** `now` is by the bank's clock, in epoch milliseconds. */
export const readAnswer = <A>(
  profile: PspWays,
  call: PspCall<A>,
  answer: HttpAnswer,
  now: number,
): Effect.Effect<A, PspUnanswered | PspRefusal> =>
  Effect.mapError(readWith(findReader(profile, call, now), call, answer), toMissing(profile))
