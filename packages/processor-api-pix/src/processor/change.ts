import { type ChargeOrder, type ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import type { ChangedCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PspClient } from "../client/PspClient.ts"
import type { PspCharge } from "../wire/Cob.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { chargeBrCode } from "./bankCode.ts"
import { changeCharge, findChargeOrFail } from "./chargeCalls.ts"
import { showsOrder, showsTexts, type WrittenOrder } from "./orderTerms.ts"
import { failRejected, failUnavailable, makeRejected } from "./refusals.ts"
import { addCode, chargeBody } from "./register.ts"

const operation = "change"

const reject = (reason: string) => makeRejected(operation, reason)

const find = (client: PspClient, { txid, dueDate }: ChargeOrder) =>
  Effect.catchTag(findChargeOrFail(client, txid, dueDate !== undefined), "PspRefusal", failUnavailable(operation))

/** The charge after a call, as the bank shows it, and why the call failed. */
interface Sent {
  readonly shown: PspCharge | undefined
  readonly whyNot?: PspRefusal | ProcessorUnavailable
}

const send = Effect.fnUntraced(function* (
  client: PspClient,
  order: WrittenOrder,
  method: "PATCH" | "PUT",
): Effect.fn.Return<Sent, ProcessorUnavailable | ProcessorRejected> {
  const body = yield* Effect.fromResult(order.body)
  const call = changeCharge(client, order.txid, order.dueDate !== undefined, { operation, method, body })
  const answered = yield* Effect.result(call)
  if (Result.isSuccess(answered) && showsOrder(order, answered.success)) return { shown: answered.success }
  const shown = yield* find(client, order)
  return { shown, ...(Result.isFailure(answered) && { whyNot: answered.failure }) }
})

/** Whether this or another call can still be carried out. */
const isUncertain = (whyNot: NonNullable<Sent["whyNot"]>): boolean =>
  whyNot._tag === "ProcessorUnavailable" || whyNot.hasUnansweredAttempt === true || whyNot.status === 409

/**
 * Whether the change was carried out. Banks don't show every term, so an open charge's terms prove an unsuccessful call only if
 * they are new, or counted since the request.
 */
const isCarriedOut = (order: WrittenOrder, before: PspCharge, { shown, whyNot }: Sent): boolean =>
  shown !== undefined &&
  showsOrder(order, shown) &&
  (whyNot === undefined || shown.status !== "active" || !showsOrder(order, before) || isCounted(order, shown))

const isCounted = ({ revision: seen }: ChargeOrder, { revision = 0 }: PspCharge): boolean =>
  seen !== undefined && revision > seen

/** A `PATCH` keeps the fields that the order doesn't have. A `PUT` removes them, at a bank that changes charges by it. */
const sendTerms = Effect.fnUntraced(function* (client: PspClient, order: WrittenOrder, before: PspCharge) {
  const patched = yield* send(client, order, "PATCH")
  const { shown, whyNot } = patched
  const isRepeatable = shown?.status === "active" && !(whyNot && isUncertain(whyNot))
  const isDone = !isRepeatable || (isCarriedOut(order, before, patched) && showsTexts(order, shown))
  if (client.profile.putOnExisting === "refuses" || isDone) return patched
  const again = yield* send(client, order, "PUT")
  const isRefused = again.whyNot !== undefined && !isUncertain(again.whyNot)
  // The refusal of the `PATCH` says more.
  return isRefused && !isCarriedOut(order, before, again) ? { ...patched, shown: again.shown } : again
})

const conclude = Effect.fnUntraced(function* (order: WrittenOrder, before: PspCharge, sent: Sent) {
  const { shown, whyNot } = sent
  if (shown !== undefined && isCarriedOut(order, before, sent)) return shown
  const isOpen = shown === undefined || shown.status === "active"
  if (whyNot === undefined) {
    return yield* shown === undefined
      ? new ProcessorUnavailable({ operation, cause: "the bank doesn't show the changed charge" })
      : reject("the bank keeps other terms")
  }
  if (!isUncertain(whyNot)) return yield* whyNot
  if (!isOpen) return yield* reject("the charge was paid or removed")
  return yield* whyNot._tag === "PspRefusal" ? new ProcessorUnavailable({ operation, cause: whyNot }) : whyNot
})

/** The bank's code, or our own for a new location. */
const findCode = Effect.fnUntraced(function* (
  client: PspClient,
  order: ChargeOrder,
  before: PspCharge,
  changed: PspCharge,
) {
  const coded = yield* Effect.catchTag(addCode(client, operation, order, changed), "PspRefusal", () =>
    Effect.succeed(changed),
  )
  const { brCode, location = before.location } = coded
  return brCode === undefined && location === before.location
    ? undefined
    : Result.getOrUndefined(chargeBrCode(coded, order.company, client.profile))
})

/**
 * Changes an open charge by `PATCH` (`CobRevisada`, `CobVRevisada`) with all terms of the order. Texts and addresses can't be
 * compared, so the call is made even if the bank already shows the order's terms.
 *
 * Fields that the order doesn't have stay in the charge, except at a bank whose `PUT` alters it. If the bank keeps such a
 * payer or fee, the change counts as rejected.
 */
export const change = Effect.fnUntraced(
  function* (
    client: PspClient,
    given: ChargeOrder,
  ): Effect.fn.Return<ChangedCharge, ProcessorUnavailable | ProcessorRejected | PspRefusal> {
    if (client.profile.changes === "missing") return yield* reject("this bank can't change a charge")
    const order: WrittenOrder = { ...given, body: chargeBody(operation, given), earlierBodies: [] }
    const before = yield* find(client, order)
    if (before === undefined) return yield* reject("the bank doesn't have the charge")
    const isOpen = before.status === "active"
    if (!isOpen && !showsOrder(order, before)) return yield* reject("the charge was paid or removed")
    const sent = isOpen ? yield* sendTerms(client, order, before) : { shown: before }
    const changed = yield* conclude(order, before, sent)
    const { revision } = changed
    const brCode = yield* findCode(client, order, before, changed)
    return { ...(brCode !== undefined && { brCode }), ...(revision !== undefined && { revision }) }
  },
  Effect.catchTag("PspRefusal", failRejected(operation)),
)
