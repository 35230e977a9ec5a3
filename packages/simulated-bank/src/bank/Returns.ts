import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import { type BankChance, happenAfter, type ReturnFate } from "../ledger/BankChance.ts"
import {
  type BankRefusal,
  type Ledger,
  type LedgerPayment,
  type LedgerReturn,
  refuse,
  returningCents,
  type ReturnOrder,
} from "../ledger/Ledger.ts"
import { addDays, dayAt, instantOn } from "../ledger/apiValues.ts"
import type { BankWays } from "../wire/BankOptions.ts"

export type ReturnAnswer = BankRefusal | { readonly _tag: "Return"; readonly returned: LedgerReturn }

/** The end of the 90th day after the payment's day, in Brasília. It is computed without the product's calendar. */
const returnsEndAt = ({ paidAt }: LedgerPayment): number => instantOn(addDays(dayAt(paidAt), 91), 0)

const denied = refuse("devolucao", "the return can't be made")

interface ReturnsHost {
  readonly ledger: Ledger
  readonly ways: BankWays
  readonly chance: BankChance
  readonly getPayment: (issuer: Cnpj, endToEndId: string) => LedgerPayment | undefined
  readonly onMoney: (payment: LedgerPayment, returned: LedgerReturn) => void
}

export class Returns {
  readonly #bank: ReturnsHost
  /** Epoch milliseconds until which the payment's payer accepts no return. */
  readonly #blockedUntil = new Map<string, number>()
  /** Called for each return requested under a new id, before the bank decides. */
  onRequested: (payment: LedgerPayment, order: ReturnOrder) => void = () => undefined

  constructor(bank: ReturnsHost) {
    this.#bank = bank
  }

  /** Makes a return, like its `PUT`. Calls `answer` once the return is made, with undefined if the payment is unknown. */
  put(order: ReturnOrder, answer: (answer: ReturnAnswer | undefined) => void): void {
    const payment = this.#bank.getPayment(order.issuer, order.endToEndId)
    if (payment === undefined) return answer(undefined)
    this.#bank.ledger.requested.push({ ...order, requestedAt: this.#bank.chance.now() })
    const known = payment.returns.find(({ id }) => id === order.id)
    if (known !== undefined) return answer(this.#putAgain(known))
    this.onRequested(payment, order)
    const refusal = this.#findRefusal(order, payment)
    if (refusal !== undefined) return answer(refusal)
    const fate = this.#bank.chance.returnFate(order, payment)
    if (fate.blockedMs === undefined) return this.#make(order, payment, fate, answer)
    this.block(payment, fate.blockedMs)
    answer(refuse("devolucao", "the payer's account is blocked"))
  }

  #putAgain(known: LedgerReturn): ReturnAnswer {
    if (known.status === "making") {
      return known.isDenied === true ? denied : refuse("devolucao", "the return is being made", true)
    }
    return this.#bank.ways.repeatedReturn === "repeats"
      ? { _tag: "Return", returned: known }
      : refuse("devolucao.id", "the id is taken")
  }

  #findRefusal({ amountCents }: ReturnOrder, payment: LedgerPayment): BankRefusal | undefined {
    const now = this.#bank.chance.now()
    if (returningCents(payment) + amountCents > payment.amountCents) {
      return refuse("devolucao.valor", "more than was paid would go back")
    }
    if (now >= returnsEndAt(payment)) return refuse("devolucao.valor", "more than 90 days have passed")
    return now < (this.#blockedUntil.get(payment.endToEndId) ?? 0)
      ? refuse("devolucao", "the payer's account is blocked")
      : undefined
  }

  #make(
    { id, amountCents, description }: ReturnOrder,
    payment: LedgerPayment,
    { isDenied = false, makingMs = 0, settlingMs, isRejected = false }: ReturnFate,
    answer: (answer: ReturnAnswer) => void,
  ): void {
    const returned: LedgerReturn = {
      ...this.#start(amountCents),
      id,
      kind: "refund",
      isDenied,
      ...(description !== undefined && { description }),
    }
    payment.returns.push(returned)
    if (isDenied) answer(denied)
    happenAfter(this.#bank.chance, makingMs, () => {
      this.#move(returned, "processing")
      const inMs = settlingMs ?? (this.#bank.ways.returnPace === "atOnce" ? 0 : undefined)
      if (inMs !== undefined) happenAfter(this.#bank.chance, inMs, () => this.settle(payment, returned, !isRejected))
      if (!isDenied) answer({ _tag: "Return", returned })
    })
  }

  #start(amountCents: Cents): Pick<LedgerReturn, "rtrId" | "amountCents" | "createdAt" | "status" | "changedAt"> {
    const createdAt = this.#bank.chance.now()
    return {
      rtrId: this.#bank.chance.id("D", createdAt),
      amountCents,
      createdAt,
      status: "making",
      changedAt: createdAt,
    }
  }

  #move(returned: LedgerReturn, status: LedgerReturn["status"]): void {
    returned.status = status
    returned.changedAt = this.#bank.chance.now()
  }

  settle(payment: LedgerPayment, returned: LedgerReturn, isCarriedOut: boolean): void {
    this.#move(returned, isCarriedOut ? "returned" : "rejected")
    if (isCarriedOut) returned.returnedAt = returned.changedAt
    this.#bank.onMoney(payment, returned)
  }

  /** Finds a return, like its `GET`. Undefined while it is being made. The pace `onNextLook` settles it at the look-up. */
  get(issuer: Cnpj, endToEndId: string, id: string): LedgerReturn | undefined {
    const payment = this.#bank.getPayment(issuer, endToEndId)
    const known = payment?.returns.find((one) => one.id === id && one.status !== "making")
    if (payment !== undefined && known?.status === "processing" && this.#bank.ways.returnPace === "onNextLook") {
      this.settle(payment, known, true)
    }
    return known
  }

  /** Blocks the payer's account for this time: it accepts no return. */
  block({ endToEndId }: LedgerPayment, ms: number): void {
    this.#blockedUntil.set(endToEndId, this.#bank.chance.now() + ms)
  }

  /** Returns money through the bank's portal or by a dispute, without a refund by the company. */
  makeOutside(payment: LedgerPayment, kind: "outside" | "dispute", amountCents: number, nature?: string): LedgerReturn {
    const returned: LedgerReturn = {
      ...this.#start(amountCents as Cents),
      id: `${kind}${payment.returns.length + 1}`,
      kind,
      ...(nature !== undefined && { nature }),
    }
    payment.returns.push(returned)
    this.settle(payment, returned, true)
    return returned
  }
}
