import { type CancelOutcome, type ProcessorRejected, ProcessorUnavailable, type ProcessorView } from "@pixcharge/core"
import type { Charge, Txid } from "@pixcharge/core/charges"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { askByBankClock, type BankPeriod } from "../client/BankClock.ts"
import type { PspCall } from "../client/PspCall.ts"
import type { PspClient } from "../client/PspClient.ts"
import { chargeReaderFor, type PspCharge } from "../wire/Cob.ts"
import type { PspPayment } from "../wire/PixBody.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { logFlaws } from "../wire/Reader.ts"
import { removalBody } from "../wire/bodies.ts"
import { chargePath } from "../wire/paths.ts"
import { type ListPlace, listWindow, makeFirstPlace } from "./ListPlace.ts"
import { type ListedPage, listPage } from "./payments.ts"
import {
  failRejected,
  failUnavailable,
  type Found,
  isAboutRequest,
  makeRejected,
  orUndefined,
  orUndefinedIfSure,
} from "./refusals.ts"
import { toProcessorView } from "./toProcessorView.ts"

const lookUp = (client: PspClient, txid: Txid, isDueDate: boolean, revision?: number): Found<PspCharge> =>
  client.call({
    ...(revision !== undefined && { query: { revisao: String(revision) } }),
    operation: "lookup",
    method: "GET",
    path: chargePath(txid, isDueDate),
    read: chargeReaderFor(txid, client.profile.codeFields),
    mayBeMissing: true,
  })

export const findCharge = (client: PspClient, txid: Txid, isDueDate: boolean): Found<PspCharge | undefined> =>
  orUndefined(lookUp(client, txid, isDueDate))

/** Like `findCharge`. Use it before a step that can't be undone (`orUndefinedIfSure`). */
export const findChargeOrFail = (client: PspClient, txid: Txid, isDueDate: boolean): Found<PspCharge | undefined> =>
  orUndefinedIfSure("lookup", lookUp(client, txid, isDueDate))

/** Looks the charge up if the answer is incomplete. Fails with `PspRefusal` only if the change itself is refused. */
export const changeCharge = Effect.fnUntraced(function* (
  client: PspClient,
  txid: Txid,
  isDueDate: boolean,
  call: Pick<PspCall<PspCharge>, "operation" | "method" | "body">,
): Effect.fn.Return<PspCharge, ProcessorUnavailable | PspRefusal> {
  const { operation } = call
  const read = chargeReaderFor(txid, client.profile.codeFields)
  const answered = yield* client.call({
    ...call,
    path: chargePath(txid, isDueDate),
    read: (json) => Result.succeed(read(json)),
  })
  if (Result.isSuccess(answered)) return answered.success
  const known = yield* Effect.catchTag(findCharge(client, txid, isDueDate), "PspRefusal", failUnavailable(operation))
  return known ?? (yield* new ProcessorUnavailable({ operation, cause: answered.failure }))
})

const unknown: ProcessorView = { status: "unknown", payments: [], returns: [] }

const listPayments = Effect.fnUntraced(function* (
  client: PspClient,
  { txid }: Charge,
  { from: earliest, until, latest }: BankPeriod,
) {
  const found = new Map<string, PspPayment>()
  let from = earliest
  do {
    const part = listWindow(from, until, client.profile)
    const query = { from, to: Math.min(part.to, latest), txid }
    let place: ListPlace | undefined = makeFirstPlace(from, client.profile)
    // Some banks ignore the txid and list all payments.
    while (place !== undefined) {
      const page: ListedPage = yield* listPage(client, "lookup", query, place)
      yield* logFlaws(`list of payments for charge ${txid}`, page.flaws)
      const own = page.payments.filter((payment) => payment.txid?.toLowerCase() === txid)
      for (const payment of own) found.set(payment.endToEndId.toLowerCase(), payment)
      place = page.next
    }
    from = part.until
  } while (from < until)
  return [...found.values()]
})

/** Since the bank created the charge. Our own creation time is later if restored books had lost the charge. */
const findPayments = Effect.fnUntraced(function* (client: PspClient, charge: Charge, { createdAt }: PspCharge) {
  const madeAt = yield* client.clock.readCreation(createdAt ?? charge.createdAt)
  const from = Math.min(charge.createdAt, madeAt) - client.clock.creationSkewMs()
  const until = yield* Clock.currentTimeMillis
  return yield* askByBankClock(client.clock, { from, until }, (bankPeriod) => listPayments(client, charge, bankPeriod))
})

/** Adds the payments of a paid charge, because some banks omit them in it. */
const addPayments = Effect.fnUntraced(function* (client: PspClient, charge: Charge, known: PspCharge) {
  return known.status !== "completed" || known.payments.length > 0
    ? known
    : { ...known, payments: yield* findPayments(client, charge, known) }
})

/** A bank that keeps only the last revision refuses the request for another. */
const lookUpRevision = (client: PspClient, charge: Charge, revision: number) =>
  lookUp(client, charge.txid, charge.dueDate !== undefined, revision).pipe(
    Effect.map((known) => toProcessorView(charge, known)),
    Effect.catchTag("PspRefusal", (refusal) =>
      isAboutRequest(refusal) ? Effect.succeed(unknown) : Effect.fail(refusal),
    ),
  )

/** Looks up the charge with its payments (`GET /cob/{txid}`, `GET /cobv/{txid}`). */
export const lookup = Effect.fnUntraced(
  function* (client: PspClient, charge: Charge, revision?: number) {
    if (revision !== undefined) return yield* lookUpRevision(client, charge, revision)
    const known = yield* findCharge(client, charge.txid, charge.dueDate !== undefined)
    if (known === undefined) return unknown
    yield* logFlaws(`charge ${charge.txid}`, known.flaws)
    return toProcessorView(charge, yield* addPayments(client, charge, known))
  },
  Effect.catchTag("PspRefusal", failUnavailable("lookup")),
)

const failKeptPayable = () => makeRejected("cancel", "the bank keeps the charge payable")

/** Whether the bank shows the charge as paid. An unreadable payment counts, too. */
const isPaid = ({ status, payments, flaws }: PspCharge): boolean =>
  status === "completed" || payments.length > 0 || flaws !== undefined

const remove = (client: PspClient, { txid, dueDate }: Charge) =>
  changeCharge(client, txid, dueDate !== undefined, { operation: "cancel", method: "PATCH", body: removalBody })

const isPayable = (known: PspCharge): boolean => known.status === "active" && !isPaid(known)

/**
 * Looks the charge up after a refused cancellation, because a payment can have come first. Only this look-up proves
 * that the bank doesn't have the charge: the 404 of the cancellation can mean a wrong path.
 */
const settle = Effect.fnUntraced(function* (client: PspClient, charge: Charge, whyNot: ProcessorRejected | PspRefusal) {
  const known = yield* findChargeOrFail(client, charge.txid, charge.dueDate !== undefined)
  return known !== undefined && isPayable(known) ? yield* whyNot : known
})

/**
 * Cancels the charge (`REMOVIDA_PELO_USUARIO_RECEBEDOR`): paid if the bank shows an earlier payment, cancelled if it doesn't know
 * the charge.
 */
export const cancel = Effect.fnUntraced(
  function* (client: PspClient, charge: Charge) {
    const changed = yield* Effect.catchTag(remove(client, charge), "PspRefusal", (refusal) =>
      settle(client, charge, refusal),
    )
    const known =
      changed !== undefined && isPayable(changed) ? yield* settle(client, charge, failKeptPayable()) : changed
    if (known === undefined || !isPaid(known)) return { _tag: "Cancelled" } satisfies CancelOutcome
    return { _tag: "Paid", view: yield* lookup(client, charge) } satisfies CancelOutcome
  },
  Effect.catchTag("PspRefusal", failRejected("cancel")),
)
