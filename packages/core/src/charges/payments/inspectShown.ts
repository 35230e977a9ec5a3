import * as Effect from "effect/Effect"
import { type Charge, type ChargeId, chargeIdFromTxid } from "../index.ts"
import type { StoreUnavailable } from "../../ports/portErrors.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { ChargePorts } from "../ChargePorts.ts"

/** A payment as a notice shows it: a claim that nobody has confirmed. */
export interface ShownPayment {
  readonly endToEndId: string
  readonly txid?: string
  /** The ids of the returns that it shows. */
  readonly returnIds: ReadonlyArray<string>
  /** It shows returns without an id, which the books can't find. */
  readonly hasUnnamedReturns: boolean
}

/** What the company has of a payment that is shown. */
export interface InspectedPayment {
  /** The books have all of it: the payment, and each return that is shown. */
  readonly isHeld: boolean
  /** The books have the payment. */
  readonly isRecorded: boolean
  /** The company's charge that it names; absent if the books hold all of it. */
  readonly charge?: Charge
}

/** Finds what a company's books hold of shown payments, and the charges that the others name, in a few look-ups together. */
export const makeInspectShown = ({ store, lists }: Pick<ChargePorts, "store" | "lists">) => {
  const findHeld = Effect.fnUntraced(function* (issuer: Cnpj, shown: ReadonlyArray<ShownPayment>) {
    const payments = yield* lists.paymentsById(
      issuer,
      shown.map(({ endToEndId }) => endToEndId),
    )
    const known = new Set(payments.map(({ endToEndId }) => endToEndId))
    const withReturns = shown.filter(({ endToEndId, returnIds }) => known.has(endToEndId) && returnIds.length > 0)
    const returns =
      withReturns.length === 0
        ? []
        : yield* lists.returnsOf(
            issuer,
            withReturns.map(({ endToEndId }) => endToEndId),
          )
    const returned = new Set(returns.map(({ endToEndId, id }) => `${endToEndId} ${id.toLowerCase()}`))
    return ({ endToEndId, returnIds, hasUnnamedReturns }: ShownPayment) => {
      const isRecorded = known.has(endToEndId)
      const hasReturns =
        !hasUnnamedReturns && returnIds.every((id) => returned.has(`${endToEndId} ${id.toLowerCase()}`))
      return { isRecorded, isHeld: isRecorded && hasReturns }
    }
  })

  const findCharges = Effect.fnUntraced(function* (issuer: Cnpj, ids: ReadonlyArray<ChargeId>) {
    const charges = yield* Effect.forEach(new Set(ids), (id) => store.find(issuer, id), { concurrency: "unbounded" })
    return new Map(charges.flatMap((charge) => (charge === undefined ? [] : [[charge.id, charge] as const])))
  })

  return Effect.fnUntraced(function* (
    issuer: Cnpj,
    shown: ReadonlyArray<ShownPayment>,
  ): Effect.fn.Return<ReadonlyArray<InspectedPayment>, StoreUnavailable> {
    if (shown.length === 0) return []
    const inspect = yield* findHeld(issuer, shown)
    const charges = yield* findCharges(
      issuer,
      shown.flatMap((one) => (inspect(one).isHeld ? [] : (chargeIdFromTxid(issuer, one.txid) ?? []))),
    )
    return shown.map((one): InspectedPayment => {
      const id = chargeIdFromTxid(issuer, one.txid)
      const charge = id && charges.get(id)
      return { ...inspect(one), ...(charge && { charge }) }
    })
  })
}
