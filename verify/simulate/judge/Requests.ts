import type { Charge } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerPayment, ReturnOrder } from "@pixcharge/simulated-bank"
import { partFamily, refundAttempt, refundFamily, shortName, wholeFamilies, wholeKey } from "./names.ts"
import { broken, judge, type Rules, type Violation, reportIf } from "./rules.ts"

/** A return that is requested under a new id, as it is before the bank decides. */
interface SeenOrder {
  readonly payment: LedgerPayment
  readonly order: ReturnOrder
  readonly isWanted: boolean
  /** The ids of returns if the same refund of the charge returns another of the charge's payments. */
  readonly twins: ReadonlyArray<string>
}

const isOfFamily = (family: string, { id }: { readonly id: string }): boolean => refundFamily(id) === family

/** The rules of each requested return. They ignore a return that the bank denied, because clients can't know of it. */
const orderRules: Rules<SeenOrder> = {
  oneLiveRefund: ({ payment, order: { id, amountCents } }) => {
    const ours = payment.returns.filter(
      ({ kind, status, isDenied }) => kind === "refund" && status !== "rejected" && isDenied !== true,
    )
    const back = ours.reduce((sum, other) => sum + other.amountCents, 0)
    const live = ours.find(({ status }) => status !== "returned")
    const other = live ?? (back + amountCents > payment.amountCents ? ours[0] : undefined)
    const what = `${shortName(payment.endToEndId)} is to be returned by ${id}, but ${other?.id} is ${other?.status}`
    return reportIf(other !== undefined, what)
  },
  onceForEachKey: ({ payment, order: { id }, twins }) => {
    const twin = payment.returns.find((one) => isOfFamily(refundFamily(id), one) && one.status !== "rejected")
    return [
      ...reportIf(twin !== undefined, `${id} is to be returned, but ${twin?.id} is ${twin?.status}`),
      ...twins.map((other) => `${id} and ${other} return two payments of the charge for the same refund`),
    ]
  },
  refundsFollowRequests: ({ payment, order: { id, amountCents }, isWanted }) => {
    const before = payment.returns.filter((one) => isOfFamily(refundFamily(id), one)).length
    const name = `${amountCents} cents of ${shortName(payment.endToEndId)} are to be returned by ${id}`
    return [
      ...reportIf(!isWanted, `${name}, but no client requested that`),
      ...reportIf(refundAttempt(id) > before + 1, `${name}, but only ${before} attempts are recorded`),
    ]
  },
}

export class Requests {
  /** The txids that clients asked to cancel. */
  readonly #cancelled = new Set<string>()
  /** The charges and payments whose whole refund was requested: a txid or an endToEndId. */
  readonly #whole = new Set<string>()
  /**
   * The refund requests that clients repeated after the faults: a txid, a txid with a part's key, or a company with an
   * endToEndId.
   */
  readonly repeatedRequests = new Set<string>()
  isOver = false
  readonly #parts = new Map<string, Array<readonly [key: string, amountCents: number]>>()
  /** The cents of each stored part, by its refund family. */
  readonly #cents = new Map<string, number>()

  /** The payments and txids whose refunds the store can have lost. Another refund can begin for them. */
  readonly #forgotten = new Set<string>()

  /** Called when the store has lost its last writes. Their refunds can be among `payments`. */
  setBack(payments: Iterable<LedgerPayment>): void {
    this.#cents.clear()
    for (const { endToEndId, txid = endToEndId } of payments) this.#forgotten.add(endToEndId).add(txid)
  }

  hasForgotten(id: string): boolean {
    return this.#forgotten.has(id)
  }

  #askAgain(id: string, name: string): void {
    if (this.isOver && !this.#forgotten.has(id)) this.repeatedRequests.add(name)
  }

  readonly cancel = (txid: string): void => void this.#cancelled.add(txid)

  isCancelRequested(txid: string): boolean {
    return this.#cancelled.has(txid)
  }

  readonly refund = (txid: string): void => {
    this.#whole.add(txid)
    this.#askAgain(txid, txid)
  }

  readonly refundException = (issuer: Cnpj, endToEndId: string): void => {
    this.#whole.add(endToEndId)
    this.#askAgain(endToEndId, `${issuer} ${endToEndId}`)
  }

  readonly refundPart = (txid: string, key: string, amountCents: number): void => {
    const parts = this.#parts.get(txid) ?? []
    parts.push([key, amountCents])
    this.#parts.set(txid, parts)
    this.#askAgain(txid, `${txid} ${key}`)
  }

  /**
   * Judges the parts of a stored charge. A part's refund id must follow from its key, and its cents must not change.
   */
  judgeCharge(charge: Charge): ReadonlyArray<Violation> {
    if (!("payment" in charge)) return []
    const { id, payment, partialRefunds = [] } = charge
    return partialRefunds.flatMap(({ key, amountCents, refund }) => {
      const family = partFamily(payment.endToEndId, key)
      const name = `part ${key} of ${shortName(id)}`
      const cents = this.hasForgotten(charge.txid) ? amountCents : (this.#cents.get(family) ?? amountCents)
      this.#cents.set(family, cents)
      return broken("onceForEachKey", [
        ...reportIf(refundFamily(refund.id) !== family, `${name} has the id ${refund.id}`),
        ...reportIf(cents !== amountCents, `${name} was of ${cents} cents, and is now of ${amountCents}`),
      ])
    })
  }

  judgeOrder(
    payment: LedgerPayment,
    order: ReturnOrder,
    others: ReadonlyArray<LedgerPayment>,
  ): ReadonlyArray<Violation> {
    const { oneLiveRefund: _, ...lasting } = orderRules
    const by: Rules<SeenOrder> = this.#forgotten.has(payment.endToEndId) ? lasting : orderRules
    return judge(by, {
      payment,
      order,
      isWanted: this.#isWanted(payment, order),
      twins: this.#findTwins(payment, order, others),
    })
  }

  /** The charge's live returns that return other payments under the key of this refund. */
  #findTwins(
    { endToEndId, txid = "" }: LedgerPayment,
    { id }: ReturnOrder,
    others: ReadonlyArray<LedgerPayment>,
  ): ReadonlyArray<string> {
    const keys = [wholeKey, ...(this.#parts.get(txid) ?? []).map(([key]) => key)]
    const key = keys.find((one) => partFamily(endToEndId, one) === refundFamily(id))
    if (key === undefined) return []
    return others.flatMap((other) =>
      other.returns
        .filter((one) => isOfFamily(partFamily(other.endToEndId, key), one) && one.status !== "rejected")
        .map((one) => one.id),
    )
  }

  #isWanted(payment: LedgerPayment, { id, amountCents }: ReturnOrder): boolean {
    const { txid = "", endToEndId } = payment
    const family = refundFamily(id)
    if (wholeFamilies(payment).includes(family)) {
      return amountCents === payment.amountCents && this.#whole.has(family.endsWith("P") ? txid : endToEndId)
    }
    const cents = this.#forgotten.has(endToEndId) ? amountCents : (this.#cents.get(family) ?? amountCents)
    const parts = this.#parts.get(txid) ?? []
    return cents === amountCents && parts.some(([key, of]) => of === cents && partFamily(endToEndId, key) === family)
  }
}
