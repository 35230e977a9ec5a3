import { type ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import { chargeTxid } from "@pixcharge/core/charges"
import type { Payer } from "@pixcharge/core/party"
import type { Journey, Recurrence, RecurrenceView } from "@pixcharge/core/recurrence"
import type { RecurrenceOrder } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PspClient } from "../client/PspClient.ts"
import { recurrenceCode } from "../processor/bankCode.ts"
import { failRejected, failUnavailable, makeRejected } from "../processor/refusals.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { readNothing } from "../wire/Reader.ts"
import { type PspRecurrence, readLocationId, readRecurrence } from "../wire/Rec.ts"
import { cancellationBody, recurrenceBody, requestBody } from "../wire/bodies.ts"
import { recurrenceLocationsPath, recurrencePath, recurrenceRequestsPath, recurrencesPath } from "../wire/paths.ts"
import { findByContract, findRecurrence } from "./findRecurrence.ts"
import { isLiveRequest, toRecurrenceView } from "./lookupRecurrence.ts"

type BankError = ProcessorUnavailable | PspRefusal

const operation = "offerRecurrence"

const reject = (why: string) => makeRejected(operation, why)

/** A `POST` has no id of ours, so it is never retried. */
const post = (body?: object) =>
  ({ operation, method: "POST", ...(body !== undefined && { body }), once: true }) as const

const makeLocation = (client: PspClient) =>
  client.call({ ...post(), path: recurrenceLocationsPath, read: readLocationId })

const journeyTxid = ({ issuer, journey }: Recurrence) =>
  journey.by === "payment" ? chargeTxid(issuer, journey.chargeId) : undefined

/** A refused look-up counts as an outage. */
const find = (client: PspClient, { recurrence, bankId, others }: RecurrenceOrder) =>
  Effect.catchTag(
    bankId === undefined ? findByContract(client, recurrence, others) : findKnown(client, bankId),
    "PspRefusal",
    failUnavailable(operation),
  )

/** If the bank doesn't show the recurrence now, it can show it later: this counts as an outage. */
const findKnown = (client: PspClient, bankId: string) =>
  Effect.flatMap(findRecurrence(client, bankId), (known) =>
    known === undefined
      ? new ProcessorUnavailable({ operation, cause: "the bank doesn't show it any more" })
      : Effect.succeed(known),
  )

const findLack = ({ profile }: PspClient, { journey, amountCents, floorCents }: Recurrence): string | undefined => {
  const demands = new Set(profile.recurrenceDemands)
  if (demands.has("amount") && (amountCents ?? floorCents) === undefined) {
    return "this bank demands an amount: give amountCents or floorCents"
  }
  return demands.has("payerBranch") && journey.by === "bank" && journey.branch === undefined
    ? "this bank demands the branch of the payer's account: give journey.branch"
    : undefined
}

const make = Effect.fnUntraced(function* (client: PspClient, { recurrence, others }: RecurrenceOrder, payer: Payer) {
  const { issuer, journey } = recurrence
  const lack = findLack(client, recurrence)
  if (lack !== undefined) return yield* reject(lack)
  const locationId = journey.by === "bank" ? undefined : yield* makeLocation(client)
  // A due-date charge is named later, in the request for the code.
  const isBound = journey.by === "payment" && journey.dueDate === undefined
  const body = recurrenceBody(recurrence, payer, {
    ...(locationId !== undefined && { locationId }),
    ...(isBound && { chargeTxid: chargeTxid(issuer, journey.chargeId) }),
  })
  const made = client.call({ ...post(body), path: recurrencesPath, read: readRecurrence })
  return yield* Effect.catchTag(made, "ProcessorUnavailable", (error) =>
    Effect.flatMap(
      Effect.catch(findByContract(client, recurrence, others), () => Effect.succeed(undefined)),
      (known) => (known === undefined ? Effect.fail(error) : Effect.succeed(known)),
    ),
  )
})

/**
 * Requests the authorisation through the payer's bank, once. If a second request is refused, succeeds if the bank shows
 * a live request.
 */
const solicit = Effect.fnUntraced(function* (
  client: PspClient,
  known: PspRecurrence,
  payer: Payer,
  journey: Journey & { readonly by: "bank" },
): Effect.fn.Return<PspRecurrence, BankError> {
  if (known.requests.some((status) => status !== "cancelled")) return known
  const { bankId } = known
  const sent = client.call({
    ...post(requestBody(bankId, payer, journey)),
    path: recurrenceRequestsPath,
    read: readNothing,
  })
  return yield* Effect.matchEffect(sent, {
    onSuccess: () => Effect.succeed(known),
    onFailure: Effect.fnUntraced(function* (error: BankError) {
      const shown = yield* Effect.catch(findRecurrence(client, bankId), () => Effect.succeed(undefined))
      return shown?.requests.some(isLiveRequest) === true ? shown : yield* error
    }),
  })
})

const withCode = Effect.fnUntraced(function* (client: PspClient, recurrence: Recurrence, { bankId }: PspRecurrence) {
  const known = yield* findRecurrence(client, bankId, journeyTxid(recurrence))
  if (known === undefined) return yield* new ProcessorUnavailable({ operation, cause: "the bank doesn't show it yet" })
  const view = toRecurrenceView(recurrence, known)
  if (view.status !== "offered") return view
  if (known.brCode === undefined) {
    return yield* new ProcessorUnavailable({ operation, cause: "the bank shows no code of it yet" })
  }
  const code = recurrenceCode(known, recurrence.journey)
  return Result.isSuccess(code)
    ? { ...view, brCode: code.success }
    : yield* reject(`the bank's recurrence can't be handed out: ${code.failure}`)
})

const withdraw = (client: PspClient, { bankId }: PspRecurrence) =>
  Effect.ignore(
    client.call({
      operation,
      method: "PATCH",
      path: recurrencePath(bankId),
      body: cancellationBody,
      read: readNothing,
    }),
  )

const hand = Effect.fnUntraced(function* (
  client: PspClient,
  recurrence: Recurrence,
  known: PspRecurrence,
  payer: Payer,
) {
  const { journey } = recurrence
  const view = toRecurrenceView(recurrence, known)
  if (view.status !== "offered" && view.status !== "unknown") return view
  if (journey.by === "bank") return toRecurrenceView(recurrence, yield* solicit(client, known, payer, journey))
  return yield* withCode(client, recurrence, known)
})

/**
 * Makes a recurrence at the bank (`POST /rec`, which has no idempotency key). Looks it up first, unless it is fresh,
 * and looks it up by its contract after an unanswered attempt.
 */
export const offer = Effect.fnUntraced(
  function* (
    client: PspClient,
    order: RecurrenceOrder,
  ): Effect.fn.Return<RecurrenceView, ProcessorUnavailable | ProcessorRejected | PspRefusal> {
    const { recurrence, isFresh } = order
    const found = isFresh === true ? undefined : yield* find(client, order)
    const { payer } = recurrence
    if (payer === undefined) {
      return found === undefined ? yield* reject("its payer was erased") : toRecurrenceView(recurrence, found)
    }
    const known = found ?? (yield* make(client, order, payer))
    return yield* Effect.tapError(hand(client, recurrence, known, payer), (error) =>
      error._tag === "ProcessorUnavailable" ? Effect.void : withdraw(client, known),
    )
  },
  Effect.catchTag("PspRefusal", failRejected(operation)),
)
