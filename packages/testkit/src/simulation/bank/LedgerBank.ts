import type { Page, PaymentSearch } from "@pixcharge/core"
import type { ReturnKind } from "@pixcharge/core/charge"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import type { Fate, Fates } from "../Fates.ts"
import { endToEndId, nameOf } from "../names.ts"
import type { Timeline } from "../World.ts"
import {
  bankChargeKey,
  type BankCharge,
  type BankLedger,
  type BankPayment,
  type BankReturn,
  type BankTerms,
  returnedOrLive,
} from "./BankLedger.ts"

/** In what banks differ. */
export interface BankWays {
  /** What a `PUT` on a charge that is there does: the later one counts, or it is refused. */
  readonly putOnExisting: "alters" | "refuses"
  /** What a `PUT` of a return that is there does. */
  readonly repeatedReturn: "repeats" | "refuses"
  /** Whether a return is over when it is answered. */
  readonly settles: "atOnce" | "later"
  /** How long after it was made a payment comes into the list. */
  readonly listsAfterMs: number
  readonly pageSize: number
}

/** A charge to be made. */
export interface BankOrder {
  readonly issuer: Cnpj
  readonly txid: string
  readonly terms: BankTerms
  /** Epoch milliseconds. */
  readonly payableUntil: number
}

/** A return to be made. */
export interface ReturnOrder {
  readonly issuer: Cnpj
  readonly endToEndId: string
  readonly id: string
  readonly amountCents: Cents
}

/** Refused: nothing was done, or as a `conflict` because the same is just being made. */
export type BankRefusal = { readonly _tag: "Refused"; readonly isConflict: boolean; readonly reason: string }

/** The answer to a `PUT` or `PATCH` of a charge. */
export type ChargeAnswer = BankRefusal | { readonly _tag: "Charge"; readonly charge: Readonly<BankCharge> }

/** The answer to a `PUT` of a return. */
export type ReturnAnswer = BankRefusal | { readonly _tag: "Return"; readonly returned: Readonly<BankReturn> }

const refused = (reason: string, isConflict = false): BankRefusal => ({ _tag: "Refused", isConflict, reason })

const denied = refused("the return can't be made")

const made = (charge: BankCharge): ChargeAnswer => ({ _tag: "Charge", charge: { ...charge } })

/** A payer's bank pays a code that was scanned in time a little later. */
const lateMs = 300_000
/** The central bank allows a return until 90 days after the payment. */
const returnWindowMs = 90 * 86_400_000
const longestBlockMs = 2 * 3_600_000

/**
 * A bank with a ledger of its own. What it does is decided by what it holds, and by the fates of its calls: it may take its
 * time to make a charge or a return, during which it refuses a second call and says that it knows of nothing.
 */
export class LedgerBank {
  readonly ledger: BankLedger = { charges: new Map(), payments: new Map() }
  readonly ways: BankWays
  /** Told of every payment that was made, and of every return that was settled. */
  onMoney: (payment: BankPayment) => void = () => undefined
  /** Told of every return that is asked for, before the bank decides. */
  onReturnAsked: (payment: BankPayment, order: ReturnOrder) => void = () => undefined
  readonly #world: Timeline
  readonly #fates: Fates
  #paymentCount = 0
  /** Until when each payment's payer takes nothing back: epoch milliseconds. */
  readonly #blockedUntil = new Map<string, number>()

  constructor(world: Timeline, fates: Fates, ways: BankWays) {
    this.#world = world
    this.#fates = fates
    this.ways = ways
  }

  #note(what: string): void {
    this.#world.note("bank", what)
  }

  /** `PUT` of a charge: answers once it is made. */
  putCharge(order: BankOrder, answer: (answer: ChargeAnswer) => void): void {
    const { issuer, txid, terms, payableUntil } = order
    const known = this.ledger.charges.get(bankChargeKey(issuer, txid))
    if (known !== undefined) return answer(this.#putAgain(known, terms))
    const fate = this.#fates.next(`bank makes ${nameOf(txid)}`)
    const charge: BankCharge = { issuer, txid, terms, payableUntil, createdAt: this.#world.now, status: "making" }
    this.ledger.charges.set(bankChargeKey(issuer, txid), charge)
    const isSlow = fate.suffers("bank", "slow", 2)
    this.#afterMaking(isSlow ? fate.random.between(1_000, 90_000) : 0, () => {
      charge.status = "active"
      this.#note(`${nameOf(txid)} is active for ${terms.amountCents} cents`)
      answer(made(charge))
    })
  }

  #afterMaking(ms: number, isMade: () => void): void {
    if (ms === 0) isMade()
    else this.#world.after(ms, isMade)
  }

  #putAgain(known: BankCharge, terms: BankTerms): ChargeAnswer {
    if (known.status === "making") return refused("the charge is being made", true)
    if (this.ways.putOnExisting === "refuses" || known.status !== "active") return refused("the txid is taken")
    known.terms = terms
    this.#note(`${nameOf(known.txid)} is now for ${terms.amountCents} cents`)
    return made(known)
  }

  /** `PATCH` of a charge's terms. */
  alterCharge({ issuer, txid, terms }: BankOrder): ChargeAnswer {
    const known = this.#visible(issuer, txid)
    if (known?.status !== "active") return refused("the charge is not active")
    known.terms = terms
    this.#note(`${nameOf(txid)} is again for ${terms.amountCents} cents`)
    return made(known)
  }

  /** `GET` of a charge; undefined while it is being made. */
  getCharge(issuer: Cnpj, txid: string): Readonly<BankCharge> | undefined {
    const known = this.#visible(issuer, txid)
    return known && { ...known }
  }

  #visible(issuer: Cnpj, txid: string): BankCharge | undefined {
    const known = this.ledger.charges.get(bankChargeKey(issuer, txid))
    return known?.status === "making" ? undefined : known
  }

  /** Takes a charge away from payers; undefined if there is none. */
  removeCharge(issuer: Cnpj, txid: string): ChargeAnswer | undefined {
    const known = this.#visible(issuer, txid)
    if (known === undefined) return undefined
    if (known.status !== "active") return refused("the charge is not active")
    known.status = "removed"
    this.#note(`${nameOf(txid)} is removed`)
    return made(known)
  }

  /** The payments of a charge, with their returns. */
  chargePayments(issuer: Cnpj, txid: string): ReadonlyArray<BankPayment> {
    return [...this.ledger.payments.values()].filter((one) => one.issuer === issuer && one.txid === txid)
  }

  /** `GET` of a payment. */
  getPayment(issuer: Cnpj, id: string): BankPayment | undefined {
    const payment = this.ledger.payments.get(id)
    return payment?.issuer === issuer ? payment : undefined
  }

  /** `GET` of a page of payments, oldest first. */
  listPayments(issuer: Cnpj, { from, until, isReturned }: PaymentSearch, cursor = "0"): Page<BankPayment> {
    const at = Number(cursor)
    const found = [...this.ledger.payments.values()].filter(
      (one) =>
        one.issuer === issuer &&
        one.paidAt >= from &&
        one.paidAt < until &&
        one.paidAt + this.ways.listsAfterMs <= this.#world.now &&
        (isReturned !== true || one.returns.some(({ status }) => status === "returned")),
    )
    const end = at + this.ways.pageSize
    return { items: found.slice(at, end), ...(end < found.length && { cursor: String(end) }) }
  }

  /** `PUT` of a return: answers once it is made. */
  putReturn(order: ReturnOrder, answer: (answer: ReturnAnswer) => void): void {
    const payment = this.getPayment(order.issuer, order.endToEndId)
    if (payment === undefined) return answer(refused("no such payment"))
    const known = payment.returns.find(({ id }) => id === order.id)
    if (known !== undefined) return answer(this.#returnAgain(known))
    this.onReturnAsked(payment, order)
    if (returnedOrLive(payment) + order.amountCents > payment.amountCents) {
      return answer(refused("more than was paid would go back"))
    }
    if (this.#world.now > payment.paidAt + returnWindowMs) return answer(refused("more than 90 days have passed"))
    this.#makeReturn(payment, order, answer)
  }

  #returnAgain(known: BankReturn): ReturnAnswer {
    if (known.status === "making") return known.isDenied ? denied : refused("the return is being made", true)
    return this.ways.repeatedReturn === "repeats"
      ? { _tag: "Return", returned: { ...known } }
      : refused("the id is taken")
  }

  #makeReturn(payment: BankPayment, { id, amountCents }: ReturnOrder, answer: (answer: ReturnAnswer) => void): void {
    const fate = this.#fates.next(`bank returns ${nameOf(payment.endToEndId)} by ${id.slice(-2)}`)
    if (this.#isBlocked(payment, fate)) return answer(refused("the payer's account is blocked"))
    const denial = this.#fates.next(`bank denies the return of ${nameOf(payment.endToEndId)} by ${id.slice(-2)}`)
    const isDenied = denial.suffers("returns", "denied")
    const returned: BankReturn = { id, kind: "refund", amountCents, status: "making", isDenied }
    payment.returns.push(returned)
    if (isDenied) answer(denied)
    const isSlow = fate.suffers("returns", "slow", 3) || isDenied
    this.#afterMaking(isSlow ? fate.random.between(1_000, 180_000) : 0, () => {
      returned.status = "processing"
      const isRejected = fate.suffers("returns", "rejected", 2)
      const settle = () => this.#settleReturn(payment, returned, isRejected)
      if (this.ways.settles === "atOnce") settle()
      else this.#world.after(fate.random.between(100, 600_000), settle)
      if (!isDenied) answer({ _tag: "Return", returned: { ...returned } })
    })
  }

  /** The payer's account takes nothing for a while. */
  #isBlocked({ endToEndId: id }: BankPayment, fate: Fate): boolean {
    const { now } = this.#world
    if (now < (this.#blockedUntil.get(id) ?? 0)) return true
    if (!fate.suffers("returns", "refused", 2)) return false
    this.#blockedUntil.set(id, now + fate.random.pick([0, 0, 0, 0, 0, longestBlockMs]))
    return true
  }

  #settleReturn(payment: BankPayment, returned: BankReturn, isRejected: boolean): void {
    returned.status = isRejected ? "rejected" : "returned"
    if (!isRejected) returned.returnedAt = this.#world.now
    this.#note(
      `${returned.kind} of ${returned.amountCents} cents of ${nameOf(payment.endToEndId)} is ${returned.status}`,
    )
    this.onMoney(payment)
  }

  /** `GET` of a return; undefined while it is being made. */
  getReturn(issuer: Cnpj, id: string, returnId: string): Readonly<BankReturn> | undefined {
    const known = this.getPayment(issuer, id)?.returns.find((one) => one.id === returnId)
    return known === undefined || known.status === "making" ? undefined : { ...known }
  }

  /** A payer pays a charge, perhaps once more or another amount than was asked for; the bank may refuse. */
  pay(issuer: Cnpj, txid: string, amountCents?: Cents): void {
    const charge = this.#visible(issuer, txid)
    const isPayable = charge?.status === "active" || charge?.status === "completed"
    if (charge === undefined || !isPayable || this.#world.now > charge.payableUntil + lateMs) return
    charge.status = "completed"
    this.#receive({ issuer, txid, amountCents: amountCents ?? charge.terms.amountCents })
  }

  /** A payer pays to the company's key, naming a txid of the payer's making or none. */
  payToKey(issuer: Cnpj, amountCents: Cents, txid?: string): void {
    this.#receive({ issuer, amountCents, ...(txid !== undefined && { txid }) })
  }

  #receive(paid: Pick<BankPayment, "issuer" | "txid" | "amountCents">): void {
    this.#paymentCount += 1
    const payment: BankPayment = {
      ...paid,
      endToEndId: endToEndId(this.#paymentCount),
      paidAt: this.#world.now,
      returns: [],
    }
    this.ledger.payments.set(payment.endToEndId, payment)
    const purpose = paid.txid === undefined ? "to the key" : `for ${nameOf(paid.txid)}`
    this.#note(`payment ${nameOf(payment.endToEndId)} of ${paid.amountCents} cents ${purpose}`)
    this.onMoney(payment)
  }

  /** For so long the payer's account takes nothing back. */
  block({ endToEndId: id }: BankPayment, ms: number): void {
    this.#blockedUntil.set(id, this.#world.now + ms)
    this.#note(`the payer of ${nameOf(id)} takes nothing back for ${ms} ms`)
  }

  /** Money goes back without a refund of ours: all that is left, or half of it. */
  returnOutside(payment: BankPayment, kind: Exclude<ReturnKind, "refund">, isWhole: boolean): void {
    const left = payment.amountCents - returnedOrLive(payment)
    const amountCents = (isWhole ? left : Math.floor(left / 2)) as Cents
    if (amountCents <= 0) return
    const returned: BankReturn = {
      id: `${kind}${payment.returns.length + 1}`,
      kind,
      amountCents,
      status: "processing",
      isDenied: false,
    }
    payment.returns.push(returned)
    this.#settleReturn(payment, returned, false)
  }
}
