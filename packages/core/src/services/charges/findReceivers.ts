import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Charge, isSettledBy } from "../../model/charge/Charge.ts"
import { chargeIdFromTxid, isTxidOfAnother } from "../../model/charge/ChargeId.ts"
import { isSamePaymentId } from "../../model/charge/Payment.ts"
import type { PaymentNotice } from "../../model/charge/PaymentNotice.ts"
import { isExceptionRefund } from "../../model/charge/RefundId.ts"
import type { DirectoryUnavailable } from "../../model/directory/directoryErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { ChargeLists } from "../../ports/ChargeLists.ts"
import type { ProcessorView, ReceivedPayment } from "../../ports/PaymentProcessor.ts"
import type { StoreUnavailable } from "../../ports/portErrors.ts"
import type { ChargePorts } from "./ChargePorts.ts"

/** A processor may keep whole seconds. */
const marginMs = 1_000

/** The row with the payment's id as the books have it, if it is that payment's. */
const spell =
  (known: string) =>
  <Row extends { readonly endToEndId: string }>(row: Row): Row =>
    isSamePaymentId(row.endToEndId, known) ? { ...row, endToEndId: known } : row

/** A view that names this payment as the books do: processors write ids in either case. */
export const spellView = <View extends Pick<ProcessorView, "payments" | "returns">>(
  view: View,
  known: string,
): View => ({
  ...view,
  payments: view.payments.map(spell(known)),
  returns: view.returns.map(spell(known)),
})

/** The same of a listed payment. */
export const spellReceived = (received: ReceivedPayment, known: string): ReceivedPayment => ({
  ...spell(known)(received),
  returns: received.returns.map(spell(known)),
})

/** A payment, and what is shown of its returns. */
type Shown = PaymentNotice & Partial<Pick<ReceivedPayment, "returns">>

/**
 * Whether the charge awaited the payment, and still does: then the payment isn't recorded as one of no charge. One that was returned
 * as an exception may be in the books while its charge waits.
 */
export const isAwaitedBy = (charge: Charge, { paidAt, returns = [] }: Shown): boolean =>
  charge._tag === "Pending" && paidAt >= charge.createdAt && !returns.some(isExceptionRefund)

/** Finds payments in a company's books by ids in any case. */
export const makeFindSpelled = (lists: Pick<ChargeLists["Service"], "payment" | "paymentsAt">) => {
  /** The id in the books, if they write it in another case. Not looked up for a charge that awaits the payment: most are equal. */
  const findSpelled = Effect.fnUntraced(function* (shown: Shown, charge: Charge | undefined) {
    const { issuer, endToEndId, paidAt } = shown
    if (charge !== undefined && isAwaitedBy(charge, shown)) return undefined
    const near = yield* lists.paymentsAt(issuer, { from: paidAt - marginMs, until: paidAt + marginMs })
    return near.find((payment) => isSamePaymentId(payment.endToEndId, endToEndId))?.endToEndId
  })

  /** The payment's id as the books have it, or as it is shown. Costs no look-up if the charge awaits or has the payment. */
  const findId = Effect.fnUntraced(function* (shown: Shown, charge: Charge | undefined) {
    const { issuer, endToEndId } = shown
    if (charge !== undefined && (isAwaitedBy(charge, shown) || isSettledBy(charge, endToEndId))) return endToEndId
    const isKnown = (yield* lists.payment(issuer, endToEndId)) !== undefined
    return (isKnown ? undefined : yield* findSpelled(shown, charge)) ?? endToEndId
  })

  return { findSpelled, findId }
}

/**
 * Whether a key that the processor shows is another company's. A charge keeps the key under which it was issued: one that no
 * company has any more may be this one's.
 */
export const makeIsKeyOfAnother =
  ({ directory }: Pick<ChargePorts, "directory">) =>
  (issuer: Cnpj, pixKey: string | undefined): Effect.Effect<boolean, DirectoryUnavailable> =>
    pixKey === undefined
      ? Effect.succeed(false)
      : Effect.map(directory.byPixKey(pixKey), (entry) => (entry?.company.cnpj ?? issuer) !== issuer)

/** The company that a payment belongs to; undefined for another system's, or another company's. A failure if that can't be told now. */
export type Receiver = Result.Result<Cnpj | undefined, StoreUnavailable | DirectoryUnavailable>

/** The payment as its receiver's. */
export const receivedBy = (issuer: Cnpj, received: ReceivedPayment): ReceivedPayment => ({
  ...received,
  issuer,
  returns: received.returns.map((returned) => ({ ...returned, issuer })),
})

const paymentKey = ({ endToEndId }: Pick<ReceivedPayment, "endToEndId">): string => endToEndId.toLowerCase()

/**
 * Finds whose payments the processor shows in the account of a company, which may share it with others.
 *
 * A txid of ours names the company, under any key: what another company issued, that one's own list and notices bring.
 * Any other payment belongs to the company whose books have it, else to the holder of its key, else to the company that asked.
 */
export const makeFindReceivers = ({ store, directory }: Pick<ChargePorts, "store" | "directory">) => {
  const findOwners = (payments: ReadonlyArray<ReceivedPayment>) =>
    Effect.map(
      store.owners(payments.map(({ endToEndId }) => endToEndId)),
      (owned) => new Map(owned.map((one) => [paymentKey(one), one.issuer])),
    )

  const findHolder = Effect.fnUntraced(function* (issuer: Cnpj, { pixKey, isForeign }: ReceivedPayment) {
    if (isForeign === true) return undefined
    const entry = pixKey === undefined ? undefined : yield* directory.byPixKey(pixKey)
    return entry?.company.cnpj ?? issuer
  })

  const findUnnamed = Effect.fnUntraced(function* (issuer: Cnpj, payments: ReadonlyArray<ReceivedPayment>) {
    // If this fails, as while a shard of the store is down, payments that name the company are recorded all the same.
    const owners = yield* Effect.result(findOwners(payments))
    return yield* Effect.forEach(payments, (one): Effect.Effect<Receiver> => {
      if (Result.isFailure(owners)) return Effect.succeed(Result.fail(owners.failure))
      const owner = owners.success.get(paymentKey(one))
      return owner === undefined ? Effect.result(findHolder(issuer, one)) : Effect.succeed(Result.succeed(owner))
    })
  })

  return (issuer: Cnpj, payments: ReadonlyArray<ReceivedPayment>): Effect.Effect<ReadonlyArray<Receiver>> => {
    const named = payments.map(({ txid }): Receiver | undefined => {
      if (chargeIdFromTxid(issuer, txid) !== undefined) return Result.succeed(issuer)
      return isTxidOfAnother(issuer, txid) ? Result.succeed(undefined) : undefined
    })
    const unnamed = payments.filter((_, at) => named[at] === undefined)
    if (unnamed.length === 0) return Effect.succeed(named as ReadonlyArray<Receiver>)
    return Effect.map(findUnnamed(issuer, unnamed), (found) => {
      const rest = found.values()
      return named.map((known): Receiver => known ?? (rest.next().value as Receiver))
    })
  }
}
