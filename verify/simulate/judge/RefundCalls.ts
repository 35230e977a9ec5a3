import type { PaymentPage, ProcessorView, RefundOrder, ShownNotice } from "@pixcharge/core"
import type { Charge, Payment, PaymentException, Refund, RefundOutcome, Return } from "@pixcharge/core/charges"
import type { Ledger } from "@pixcharge/simulated-bank"
import type { Word } from "./Evidence.ts"
import { backCents, isPartBack } from "./money.ts"
import { refundAttempt, refundFamily } from "./names.ts"
import { broken, type Violation, reportIf } from "./rules.ts"

/** How long after an unanswered call the bank can make a refused refund (decision 50), less the clocks' difference. */
const lateMs = 86_400_000 - 75_000
/** When an unanswered call counts as lost: after an hour (decision 39), less more than the clocks' difference. */
const openMs = 3_600_000 - 150_000

interface Call {
  readonly requestedAt: number
  isOver: boolean
}

export interface StoredRefund {
  readonly refund: Refund
  readonly payment: Payment
  readonly amountCents: number
  readonly returns: ReadonlyArray<Return>
  readonly hasFailed: boolean
}

export const storedRefunds = (owner: Charge | PaymentException): ReadonlyArray<StoredRefund> => {
  const { returns } = owner
  if (!("payment" in owner)) return []
  const { payment } = owner
  const toStored = (refund: Refund | undefined, hasFailed: boolean, amountCents: number = payment.amountCents) =>
    refund === undefined ? [] : [{ refund, payment, amountCents, returns, hasFailed }]
  const standing = "state" in owner ? owner.state : owner
  const refund = standing._tag === "Refunding" ? standing.refund : undefined
  const failedRefund = "failedRefund" in standing ? standing.failedRefund : undefined
  const parts = "state" in owner ? [] : (owner.partialRefunds ?? []).filter((part) => !isPartBack(part, returns))
  return [
    ...toStored(refund, false),
    ...toStored(failedRefund, true),
    ...parts.flatMap((part) => toStored(part.refund, part.rejection !== undefined, part.amountCents)),
  ]
}

export interface LearntFailure {
  readonly id: string
  readonly endToEndId: string
}

const shownPayments = ({ method, answer }: Word): ReadonlyArray<ShownNotice> => {
  if (method === "lookup") return (answer as ProcessorView).payments
  return method === "payments" ? (answer as PaymentPage).items : []
}

/** Judges the processes' calls for refunds, and the stored refunds (decisions 18 and 39). */
export class RefundCalls {
  readonly #calls = new Map<string, Array<Call>>()
  readonly #begun = new Map<string, { count: number; last: ReadonlyArray<number> }>()
  readonly #begunAt = new Map<string, number>()
  /** When a process requested the bank's last answer that showed it a payment. */
  readonly #lookedAt = new Map<string, number>()
  /** The payments whose keys a process's last look-up of their charge didn't show. */
  readonly #keyless = new Set<string>()
  /** Every refund that ever failed. `#failed` forgets a refund when it is requested again. */
  readonly #everFailed = new Set<string>()
  readonly #failed = new Set<string>()
  /** When a process's refused calls for a refund were answered. */
  readonly #refusedAt = new Map<string, Array<number>>()
  readonly #shownAt = new Map<string, number>()
  readonly #learnt = new Map<string, string>()
  readonly #returned = new Set<string>()

  setBack(): void {
    for (const known of [this.#begun, this.#begunAt, this.#failed, this.#learnt]) known.clear()
  }

  /**
   * When the refund was begun, if the process has looked up the payment at the bank since then.
   */
  findLooked(caller: string, { refundId, endToEndId }: RefundOrder): number | undefined {
    const begunAt = this.#begunAt.get(refundId) ?? Infinity
    return (this.#lookedAt.get(`${caller} ${endToEndId}`) ?? -Infinity) < begunAt ? undefined : begunAt
  }

  /** Some banks show the keys of payments in their lists, but not in a charge. */
  hidesKey(caller: string, { endToEndId }: RefundOrder): boolean {
    return this.#keyless.has(`${caller} ${endToEndId}`)
  }

  /** Judges a refund call. The call must have been stored before. */
  readonly judgeCall = ({ refundId: id }: RefundOrder, at: number): ReadonlyArray<string> => {
    const calls = this.#calls.get(id) ?? []
    this.#calls.set(id, calls)
    calls.push({ requestedAt: at, isOver: false })
    return reportIf(
      calls.length > (this.#begun.get(id)?.count ?? 0),
      `${id} is requested from the bank, but that call is not stored`,
    )
  }

  readonly recordShown = (caller: string, endToEndId: string, requestedAt: number): void => {
    const shown = `${caller} ${endToEndId}`
    // An answer can arrive after the answer to a later call.
    this.#shownAt.set(shown, Math.max(requestedAt, this.#shownAt.get(shown) ?? 0))
  }

  learntFailures({ payments }: Ledger): ReadonlyArray<LearntFailure> {
    return [...this.#learnt]
      .map(([id, endToEndId]) => ({ id, endToEndId }))
      .filter(({ id, endToEndId }) =>
        payments.get(endToEndId)?.returns.some((row) => row.id === id && row.status === "rejected"),
      )
  }

  readonly recordAnswer = (word: Word): void => {
    const { caller, method, args, requestedAt: askedAt, answer } = word
    for (const { endToEndId, pixKey } of shownPayments(word)) {
      this.recordShown(caller, endToEndId, askedAt)
      this.#lookedAt.set(`${caller} ${endToEndId}`, askedAt)
      if (method !== "lookup") continue
      if (pixKey === undefined) this.#keyless.add(`${caller} ${endToEndId}`)
      else this.#keyless.delete(`${caller} ${endToEndId}`)
    }
    if (method !== "refund" && method !== "lookupRefund") return
    const { refundId: id, endToEndId } = args[0] as RefundOrder
    const tag = (answer as RefundOutcome | undefined)?._tag
    const key = `${caller} ${id}`
    if (tag === "Returned") this.#returned.add(key)
    if (tag === "Rejected") this.#learnt.set(id, endToEndId)
    if (tag === "Rejected") this.#refusedAt.set(key, [...(this.#refusedAt.get(key) ?? []), askedAt])
    const call = this.#calls.get(id)?.find((one) => one.requestedAt === askedAt && !one.isOver)
    if (method === "refund" && tag !== "Processing" && call !== undefined) call.isOver = true
  }

  /** Judges a refund that a process has just stored. The store can have lost the refund's earlier state. */
  judgeStored(
    one: StoredRefund,
    caller: string,
    ledger: Ledger,
    now: number,
    mayBeForgotten: boolean,
  ): ReadonlyArray<Violation> {
    const { id, unanswered = [] } = one.refund
    if (!this.#begunAt.has(id)) this.#begunAt.set(id, now)
    const known = this.#begun.get(id) ?? { count: 0, last: [] }
    const fresh = unanswered.filter((calledAt) => !known.last.includes(calledAt)).length
    this.#begun.set(id, { count: known.count + fresh, last: unanswered })
    const before = refundAttempt(id) - 1
    const isUnreported = known.count === 0 && before > 0 && !this.#everFailed.has(`${refundFamily(id)} ${before}`)
    const isNew = one.hasFailed && !this.#failed.has(id)
    if (one.hasFailed) {
      this.#learnt.set(id, one.payment.endToEndId)
      this.#failed.add(id)
      this.#everFailed.add(`${refundFamily(id)} ${before + 1}`)
    } else this.#failed.delete(id)
    // A process knows its answers even if the store has lost data.
    const isLost = isNew && this.#returned.has(`${caller} ${id}`) && !one.returns.some((row) => row.id === id)
    return broken("refusalsAreFinal", [
      ...reportIf(isLost, `${id} counts as refused by ${caller}, which knows of its return but has not recorded it`),
      ...reportIf(
        isUnreported && !mayBeForgotten,
        `${id} begins before the refusal of the previous attempt was reported`,
      ),
      ...(isNew && !isLost && !mayBeForgotten ? this.#wrongEnd(one, caller, ledger, now) : []),
    ])
  }

  /** Finds an owner's refused refunds that can still return money although another refund has begun. */
  judgeTogether(refunds: ReadonlyArray<StoredRefund>, now: number): ReadonlyArray<string> {
    const begun = refunds.find(({ refund, hasFailed }) => !hasFailed && !this.#begun.has(refund.id))
    if (begun === undefined) return []
    return refunds.flatMap(({ refund: { id, unanswered = [] }, hasFailed }) => {
      const isOther = hasFailed && refundFamily(id) !== refundFamily(begun.refund.id)
      const mayReturn = isOther && unanswered.some((calledAt) => calledAt > now - lateMs)
      return reportIf(mayReturn, `${begun.refund.id} begins, although the refused ${id} may still be made`)
    })
  }

  /** A refusal ends a refund if no call for it can still take effect and the payment was seen after the refusal. */
  #wrongEnd(
    { refund: { id, requestedAt }, payment, amountCents, returns }: StoredRefund,
    caller: string,
    { payments }: Ledger,
    now: number,
  ): ReadonlyArray<string> {
    const row = payments.get(payment.endToEndId)?.returns.find((one) => one.id === id)
    if (row?.status === "returned") return []
    const isOpen = this.#calls.get(id)?.some(({ requestedAt: askedAt, isOver }) => !isOver && askedAt > now - openMs)
    const refusedAt = this.#refusedAt.get(`${caller} ${id}`)?.filter((at) => at > requestedAt - openMs) ?? []
    // If no call of the process was refused, it learned of the refusal by a notice and then queried the bank.
    const since = refusedAt.length === 0 ? requestedAt - openMs : Math.min(...refusedAt)
    const isShown = (this.#shownAt.get(`${caller} ${payment.endToEndId}`) ?? -Infinity) >= since
    const mayBeUnseen = now - requestedAt > openMs || backCents(payment, returns) + amountCents > payment.amountCents
    return [
      ...reportIf(
        isOpen === true && row?.status !== "rejected",
        `${id} counts as refused, but a call for it is on its way`,
      ),
      ...reportIf(!isShown && !mayBeUnseen, `${id} counts as refused, but its payment was not looked up after that`),
    ]
  }
}
