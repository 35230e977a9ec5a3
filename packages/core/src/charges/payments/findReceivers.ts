import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Charge } from "../rules/Charge.ts"
import { type ChargeId, chargeIdFromTxid } from "../rules/ChargeId.ts"
import { isSamePaymentId } from "../rules/Payment.ts"
import type { DirectoryUnavailable } from "../../directory/directoryErrors.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "../../ports/portErrors.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { ChargeStore } from "../../ports/ChargeStore.ts"
import type { CompanyDirectory } from "../../ports/CompanyDirectory.ts"
import type { PaymentProcessor, ReceivedPayment } from "../../ports/PaymentProcessor.ts"

/** The ports that tell whose a payment is. */
export interface ReceiverPorts {
  readonly store: ChargeStore["Service"]
  readonly directory: CompanyDirectory["Service"]
  readonly processor: PaymentProcessor["Service"]
}

/** The company that a payment belongs to; undefined for another system's. A failure if that can't be told now. */
export type Receiver = Result.Result<Cnpj | undefined, StoreUnavailable | DirectoryUnavailable | ProcessorUnavailable>

/** The payment as its receiver's. */
export const receivedBy = (issuer: Cnpj, received: ReceivedPayment): ReceivedPayment => ({
  ...received,
  issuer,
  returns: received.returns.map((returned) => ({ ...returned, issuer })),
})

/** A payment with what is known of it. */
interface Shown {
  readonly payment: ReceivedPayment
  /** The charge that its txid may name. */
  readonly id: ChargeId | undefined
  /** The company that has its key. */
  readonly holder: Cnpj | undefined
}

/**
 * Finds whose payments the processor shows in the account of a company, which may share it with others.
 *
 * A payment belongs to the company of that account that issued its txid, under any key. If two have, the key tells which of
 * their charges the processor has. Without a known txid the key decides; a payment without a key is the company's own.
 */
export const makeFindReceivers = ({ store, directory, processor }: ReceiverPorts) => {
  const inspect = Effect.fnUntraced(function* (payment: ReceivedPayment) {
    const { txid, pixKey } = payment
    const entry = pixKey === undefined ? undefined : yield* directory.byPixKey(pixKey)
    const id = txid === undefined ? undefined : chargeIdFromTxid(txid)
    return { payment, id, holder: entry?.company.cnpj } satisfies Shown
  })

  /**
   * Whether the payment paid another company's charge: companies with other accounts may have issued the same id. The
   * processor's configuration tells, or the books, or else the processor of that company's account.
   */
  const isPaidBy = Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId, { payment }: Shown) {
    if ((yield* processor.sharesAccount?.(payment.issuer, issuer) ?? Effect.succeed(false)) === true) return true
    const charge = yield* store.find(issuer, id)
    if (charge === undefined) return false
    const { endToEndId } = payment
    if ("payment" in charge && isSamePaymentId(charge.payment.endToEndId, endToEndId)) return true
    const view = yield* processor.lookup(charge)
    return view.payments.some((one) => isSamePaymentId(one.endToEndId, endToEndId))
  })

  const decide = Effect.fnUntraced(function* (shown: Shown, isOwn: boolean, others: ReadonlyArray<Cnpj>) {
    const { payment, id, holder } = shown
    if (holder !== undefined && others.includes(holder)) return holder
    if (isOwn) return payment.issuer
    for (const other of others) if (id !== undefined && (yield* isPaidBy(other, id, shown))) return other
    return payment.isForeign === true ? undefined : (holder ?? payment.issuer)
  })

  return Effect.fnUntraced(function* (
    issuer: Cnpj,
    payments: ReadonlyArray<ReceivedPayment>,
    read?: Charge,
  ): Effect.fn.Return<ReadonlyArray<Receiver>, DirectoryUnavailable | StoreUnavailable> {
    const all = yield* Effect.forEach(payments, inspect)
    const named = all.filter(({ id }) => id !== undefined)
    const collectIds = (some: ReadonlyArray<Shown>) => some.flatMap(({ id }) => id ?? [])
    const unread = collectIds(named).filter((id) => id !== read?.id)
    const found = unread.length === 0 ? [] : yield* store.issuers(unread, issuer)
    const own = new Set([...found, ...(read ? [read] : [])].map(({ id }) => id))
    const isOwn = ({ id }: Shown) => id !== undefined && own.has(id)
    const unsure = named.filter((one) => !isOwn(one) || (one.holder ?? issuer) !== issuer)
    // If this fails, as while a shard of the store is down, the company's own payments are recorded all the same.
    const issued = yield* Effect.result(unsure.length === 0 ? Effect.succeed([]) : store.issuers(collectIds(unsure)))
    const findOthers = (one: Shown) =>
      Result.map(unsure.includes(one) ? issued : Result.succeed([]), (known) =>
        known.flatMap(({ id, issuer: other }) => (id === one.id && other !== issuer ? [other] : [])),
      )
    const receiver = (one: Shown) =>
      Effect.flatMap(Effect.fromResult(findOthers(one)), (others) => decide(one, isOwn(one), others))
    return yield* Effect.forEach(all, (one) => Effect.result(receiver(one)), { concurrency: 8 })
  })
}
