import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { chargeIdFromTxid, isTxidOfAnother } from "../rules/ChargeId.ts"
import type { DirectoryUnavailable } from "../../directory/directoryErrors.ts"
import type { StoreUnavailable } from "../../ports/portErrors.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { ReceivedPayment } from "../../ports/PaymentProcessor.ts"
import type { ChargePorts } from "../ChargePorts.ts"

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
 * A txid of ours names the company, whatever else is shown: what another company issued, that one's own list and notices bring.
 * Any other payment belongs to the company whose books have it, else to the holder of its key, else to the company that asked.
 */
export const makeFindReceivers = ({ store, directory }: Pick<ChargePorts, "store" | "directory">) => {
  const findOwners = (payments: ReadonlyArray<ReceivedPayment>) =>
    payments.length === 0
      ? Effect.succeed(new Map<string, Cnpj>())
      : Effect.map(
          store.owners(payments.map(({ endToEndId }) => endToEndId)),
          (owned) => new Map(owned.map((one) => [paymentKey(one), one.issuer])),
        )

  const findHolder = Effect.fnUntraced(function* (issuer: Cnpj, { pixKey, isForeign }: ReceivedPayment) {
    if (isForeign === true) return undefined
    const entry = pixKey === undefined ? undefined : yield* directory.byPixKey(pixKey)
    return entry?.company.cnpj ?? issuer
  })

  return Effect.fnUntraced(function* (
    issuer: Cnpj,
    payments: ReadonlyArray<ReceivedPayment>,
  ): Effect.fn.Return<ReadonlyArray<Receiver>> {
    const isOwn = ({ txid }: ReceivedPayment) => chargeIdFromTxid(issuer, txid) !== undefined
    const isOthers = ({ txid }: ReceivedPayment) => isTxidOfAnother(issuer, txid)
    // If this fails, as while a shard of the store is down, payments that name the company are recorded all the same.
    const found = yield* Effect.result(findOwners(payments.filter((one) => !isOwn(one) && !isOthers(one))))
    return yield* Effect.forEach(payments, (one): Effect.Effect<Receiver> => {
      if (isOwn(one)) return Effect.succeed(Result.succeed(issuer))
      if (isOthers(one)) return Effect.succeed(Result.succeed(undefined))
      if (Result.isFailure(found)) return Effect.succeed(Result.fail(found.failure))
      const owner = found.success.get(paymentKey(one))
      return owner === undefined ? Effect.result(findHolder(issuer, one)) : Effect.succeed(Result.succeed(owner))
    })
  })
}
