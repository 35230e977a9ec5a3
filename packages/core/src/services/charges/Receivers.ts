import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { chargeIdFromTxid, isTxidOfAnother } from "../../model/charge/ChargeId.ts"
import type { DirectoryUnavailable } from "../../model/directory/directoryErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { ReceivedPayment } from "../../ports/PaymentProcessor.ts"
import type { StoreUnavailable } from "../../ports/portErrors.ts"
import type { ChargePorts } from "./ChargePorts.ts"

/** A charge keeps its PIX key, so a key that no company holds now can still be this company's. */
export const isKeyOfAnother = (
  directory: ChargePorts["directory"],
  issuer: Cnpj,
  pixKey: string | undefined,
): Effect.Effect<boolean, DirectoryUnavailable> =>
  pixKey === undefined
    ? Effect.succeed(false)
    : Effect.map(directory.byPixKey(pixKey), (entry) => (entry?.company.cnpj ?? issuer) !== issuer)

/** Undefined for another system's or company's payment; a failure if the receiver can't be known now. */
export type Receiver = Result.Result<Cnpj | undefined, StoreUnavailable | DirectoryUnavailable>

export const receivedBy = (issuer: Cnpj, received: ReceivedPayment): ReceivedPayment => ({
  ...received,
  issuer,
  returns: received.returns.map((returned) => ({ ...returned, issuer })),
})

const paymentKey = ({ endToEndId }: Pick<ReceivedPayment, "endToEndId">): string => endToEndId.toLowerCase()

type ReceiverPorts = Pick<ChargePorts, "store" | "directory">

/**
 * Companies can share an account. A txid of ours decides first, regardless of the PIX key. Any other payment belongs to the
 * company whose books have it, else to the holder of its key, else to `issuer`.
 */
export const findReceivers = (
  ports: ReceiverPorts,
  issuer: Cnpj,
  payments: ReadonlyArray<ReceivedPayment>,
): Effect.Effect<ReadonlyArray<Receiver>> => {
  const named = payments.map(({ txid }): Receiver | undefined => {
    if (chargeIdFromTxid(issuer, txid) !== undefined) return Result.succeed(issuer)
    return isTxidOfAnother(issuer, txid) ? Result.succeed(undefined) : undefined
  })
  const unnamed = payments.filter((_, index) => named[index] === undefined)
  if (unnamed.length === 0) return Effect.succeed(named as ReadonlyArray<Receiver>)
  return Effect.map(findUnnamed(ports, issuer, unnamed), (found) => {
    const rest = found.values()
    return named.map((known): Receiver => known ?? (rest.next().value as Receiver))
  })
}

const findUnnamed = Effect.fnUntraced(function* (
  { store, directory }: ReceiverPorts,
  issuer: Cnpj,
  payments: ReadonlyArray<ReceivedPayment>,
) {
  // Payments that name the company are still recorded if this fails.
  const owners = yield* Effect.result(findOwners(store, payments))
  const holder = (one: ReceivedPayment) => Effect.result(findHolder(directory, issuer, one))
  return yield* Effect.forEach(payments, (one): Effect.Effect<Receiver> => {
    if (Result.isFailure(owners)) return Effect.succeed(Result.fail(owners.failure))
    const owner = owners.success.get(paymentKey(one))
    return owner === undefined ? holder(one) : Effect.succeed(Result.succeed(owner))
  })
})

const findOwners = (store: ReceiverPorts["store"], payments: ReadonlyArray<ReceivedPayment>) =>
  Effect.map(
    store.owners(payments.map(({ endToEndId }) => endToEndId)),
    (owned) => new Map(owned.map((one) => [paymentKey(one), one.issuer])),
  )

const findHolder = Effect.fnUntraced(function* (
  directory: ReceiverPorts["directory"],
  issuer: Cnpj,
  { pixKey, isForeign }: ReceivedPayment,
) {
  if (isForeign === true) return undefined
  const entry = pixKey === undefined ? undefined : yield* directory.byPixKey(pixKey)
  return entry?.company.cnpj ?? issuer
})
