import { type CancelOutcome, ProcessorUnavailable } from "@pixcharge/core"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { CycleCharge } from "@pixcharge/core/charges"
import type { CycleOrder } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PspClient } from "../client/PspClient.ts"
import { failRejected, failUnavailable, makeRejected } from "../processor/refusals.ts"
import { cycleReaderFor, type PspCycle } from "../wire/CobR.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { readNothing, readShown } from "../wire/Reader.ts"
import { cancellationBody, cycleBody, type ReceivingAccount, withDebtor } from "../wire/bodies.ts"
import { cyclePath, retryPath } from "../wire/paths.ts"
import { findCycle, isAboutCharge, isSameCycle, lookupCycle } from "./lookupCycle.ts"

const charging = "chargeCycle"

const writeBody = ({ profile }: PspClient, { charge }: CycleOrder, account: ReceivingAccount) => {
  const body = cycleBody(charge, charge.cycle, account)
  return profile.recurrences === "withDebtor" ? withDebtor(body) : body
}

const put = (client: PspClient, order: CycleOrder, account: ReceivingAccount) => {
  const { txid } = order.charge
  return client.call({
    operation: charging,
    method: "PUT",
    path: cyclePath(txid),
    body: writeBody(client, order, account),
    read: readShown(cycleReaderFor(txid)),
  })
}

const findAgain = (client: PspClient, { charge }: CycleOrder) =>
  Effect.catchTag(findCycle(client, charge.txid), "PspRefusal", failUnavailable(charging))

/** Looks the charge up: banks give the same error for a used txid, a cycle that is already charged and a wrong order. */
const resolveRefusal = Effect.fnUntraced(function* (client: PspClient, order: CycleOrder, refusal: PspRefusal) {
  const known = yield* findAgain(client, order)
  if (known !== undefined) return known
  return yield* isAboutCharge(refusal) ? refusal : new ProcessorUnavailable({ operation: charging, cause: refusal })
})

/** `PUT /cobr/{txid}`, once. An existing charge with this txid must have the order's recurrence and terms. */
export const chargeCycle = Effect.fnUntraced(
  function* (client: PspClient, order: CycleOrder, account: ReceivingAccount) {
    const shown: PspCycle | undefined = yield* Effect.catchTag(put(client, order, account), "PspRefusal", (refusal) =>
      resolveRefusal(client, order, refusal),
    )
    const known = shown ?? (yield* findAgain(client, order))
    if (known === undefined)
      return yield* new ProcessorUnavailable({ operation: charging, cause: "the bank doesn't show it yet" })
    if (!isSameCycle(order, account, known)) {
      return yield* makeRejected(charging, "the txid belongs to a charge of another recurrence, or with other terms")
    }
  },
  Effect.catchTag("PspRefusal", failRejected(charging)),
)

const retrying = "retryCycle"

const resolveRetryRefusal = Effect.fnUntraced(function* (
  client: PspClient,
  { txid }: CycleCharge,
  on: LocalDate,
  refusal: PspRefusal,
) {
  const known = yield* Effect.catchTag(findCycle(client, txid), "PspRefusal", failUnavailable(retrying))
  if (known?.attempts.some((attempt) => attempt.on === on) === true) return
  return yield* isAboutCharge(refusal) ? refusal : new ProcessorUnavailable({ operation: retrying, cause: refusal })
})

/** Requests another attempt on a day (`POST /cobr/{txid}/retentativa/{data}`). */
export const retryCycle = Effect.fnUntraced(
  function* (client: PspClient, charge: CycleCharge, on: LocalDate) {
    const requested = client.call({
      operation: retrying,
      method: "POST",
      path: retryPath(charge.txid, on),
      read: readNothing,
    })
    yield* Effect.catchTag(requested, "PspRefusal", (refusal) => resolveRetryRefusal(client, charge, on, refusal))
  },
  Effect.catchTag("PspRefusal", failRejected(retrying)),
)

const cancelling = "cancelCycle"

/** An unreadable payment counts, and so does a paid attempt of a charge that isn't shown as paid. */
const isPaid = ({ status, payments, flaws, attempts }: PspCycle): boolean =>
  status === "completed" || payments.length > 0 || flaws !== undefined || attempts.some((one) => one.status === "paid")

const isOpen = (known: PspCycle): boolean => (known.status === "active" || known.status === "unknown") && !isPaid(known)

/**
 * `CANCELADA`. Fails if the bank keeps the charge, because the debit can be under way. A charge that the bank doesn't know can't
 * be debited and counts as cancelled.
 */
export const cancelCycle = Effect.fnUntraced(
  function* (client: PspClient, charge: CycleCharge, account: ReceivingAccount) {
    const { txid } = charge
    const answered = yield* Effect.result(
      client.call({
        operation: cancelling,
        method: "PATCH",
        path: cyclePath(txid),
        body: cancellationBody,
        read: readShown(cycleReaderFor(txid)),
      }),
    )
    if (Result.isFailure(answered) && answered.failure._tag === "ProcessorUnavailable") return yield* answered.failure
    const shown = Result.getOrUndefined(answered)
    const known =
      shown !== undefined && !isOpen(shown)
        ? shown
        : yield* Effect.catchTag(findCycle(client, txid), "PspRefusal", failUnavailable(cancelling))
    if (known !== undefined && isOpen(known)) {
      return yield* Result.isFailure(answered)
        ? answered.failure
        : makeRejected(cancelling, "the bank keeps the charge to be debited")
    }
    if (known === undefined || !isPaid(known)) return { _tag: "Cancelled" } satisfies CancelOutcome
    return { _tag: "Paid", view: yield* lookupCycle(client, charge, account) } satisfies CancelOutcome
  },
  Effect.catchTag("PspRefusal", failRejected(cancelling)),
)
