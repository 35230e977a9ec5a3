import type { Page, PaymentSearch } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Fate, Fates } from "../Fates.ts"
import { nameOf } from "../names.ts"
import type { NetworkCall, Passage } from "../networkCall.ts"
import type { Actor, Timeline } from "../World.ts"
import type { BankCharge, BankPayment, BankReturn } from "./BankLedger.ts"
import type { BankOrder, BankWays, ChargeAnswer, LedgerBank, ReturnAnswer, ReturnOrder } from "./LedgerBank.ts"

/**
 * The bank as a process calls it. A call may take its time, get lost or arrive when its caller has long given up; then no
 * answer ever comes.
 */
export interface BankClient {
  readonly ways: BankWays
  /** The bank's clock: epoch milliseconds. */
  readonly now: () => number
  readonly putCharge: (order: BankOrder) => Effect.Effect<ChargeAnswer>
  readonly alterCharge: (order: BankOrder) => Effect.Effect<ChargeAnswer>
  readonly getCharge: (issuer: Cnpj, txid: string) => Effect.Effect<Readonly<BankCharge> | undefined>
  readonly getChargeAndPayments: (
    issuer: Cnpj,
    txid: string,
  ) => Effect.Effect<
    { readonly charge: Readonly<BankCharge>; readonly payments: ReadonlyArray<BankPayment> } | undefined
  >
  readonly removeCharge: (issuer: Cnpj, txid: string) => Effect.Effect<ChargeAnswer | undefined>
  readonly getPayment: (issuer: Cnpj, endToEndId: string) => Effect.Effect<BankPayment | undefined>
  readonly listPayments: (issuer: Cnpj, search: PaymentSearch, cursor?: string) => Effect.Effect<Page<BankPayment>>
  readonly putReturn: (order: ReturnOrder) => Effect.Effect<ReturnAnswer>
  readonly getReturn: (issuer: Cnpj, endToEndId: string, id: string) => Effect.Effect<Readonly<BankReturn> | undefined>
}

const minuteMs = 60_000
/** For so long, one of these, a call may be on its way and be carried out all the same. */
const latestMs = {
  bank: [minuteMs, 50 * minuteMs, 300 * minuteMs],
  returns: [minuteMs, 50 * minuteMs, 300 * minuteMs, 300 * minuteMs],
} as const

const passage = (fate: Fate, lateness: keyof typeof latestMs): Passage => {
  const { random } = fate
  const arriveMs = random.between(1, 150)
  const answerMs = random.between(1, 150)
  if (fate.suffers("bank", "lost")) return { arriveMs, answerMs, lost: "request" }
  if (fate.suffers("bank", "unanswered", 2)) return { arriveMs, answerMs, lost: "answer" }
  if (fate.suffers(lateness, "late", 2)) {
    return { arriveMs: random.between(1_000, random.pick(latestMs[lateness])), answerMs, lost: "answer" }
  }
  if (fate.suffers("deaths", "death before")) return { arriveMs, answerMs, dies: "before" }
  if (fate.suffers("deaths", "death after")) return { arriveMs, answerMs, dies: "after" }
  return { arriveMs, answerMs }
}

/** What lies between a process and the bank. */
interface BankWorld {
  readonly world: Pick<Timeline, "note" | "now">
  readonly network: { readonly call: NetworkCall }
  readonly fates: Fates
}

/** The bank for one process. */
export const makeBankClient = ({ world, network, fates }: BankWorld, caller: Actor, bank: LedgerBank): BankClient => {
  const call = <A>(
    what: string,
    doing: (answer: (value: A) => void) => void,
    lateness: keyof typeof latestMs = "bank",
  ): Effect.Effect<A> =>
    Effect.suspend(() => {
      const way = passage(fates.next(`${caller.name} asks to ${what}`), lateness)
      if (way.lost === "request") world.note("bank", `never hears ${caller.name} ask to ${what}`)
      return network.call<A, never>(caller, way, (ended) => {
        world.note("bank", `${caller.name} asks to ${what}${way.lost === "answer" ? ", and hears no answer" : ""}`)
        doing((value) => ended(Exit.succeed(value)))
      })
    })
  const now = <A>(what: string, answer: () => A) => call<A>(what, (give) => give(answer()))

  return {
    ways: bank.ways,
    now: () => world.now,
    putCharge: (order) =>
      call(`make ${nameOf(order.txid)} for ${order.terms.amountCents} cents`, (give) => bank.putCharge(order, give)),
    alterCharge: (order) =>
      now(`alter ${nameOf(order.txid)} to ${order.terms.amountCents} cents`, () => bank.alterCharge(order)),
    getCharge: (issuer, txid) => now(`show ${nameOf(txid)}`, () => bank.getCharge(issuer, txid)),
    getChargeAndPayments: (issuer, txid) =>
      now(`show ${nameOf(txid)} with payments`, () => {
        const charge = bank.getCharge(issuer, txid)
        return charge && { charge, payments: bank.chargePayments(issuer, txid).map(copy) }
      }),
    removeCharge: (issuer, txid) => now(`remove ${nameOf(txid)}`, () => bank.removeCharge(issuer, txid)),
    getPayment: (issuer, endToEndId) =>
      now(`show ${nameOf(endToEndId)}`, () => {
        const payment = bank.getPayment(issuer, endToEndId)
        return payment && copy(payment)
      }),
    listPayments: (issuer, search, cursor) =>
      now(`list payments${search.isReturned === true ? " with returns" : ""}`, () => {
        const page = bank.listPayments(issuer, search, cursor)
        return { ...page, items: page.items.map(copy) }
      }),
    putReturn: (order) =>
      call(
        `return ${nameOf(order.endToEndId)} by ${order.id.slice(-2)}`,
        (give) => bank.putReturn(order, give),
        "returns",
      ),
    getReturn: (issuer, endToEndId, id) =>
      now(`show the return of ${nameOf(endToEndId)} by ${id.slice(-2)}`, () => bank.getReturn(issuer, endToEndId, id)),
  }
}

/** As the bank shows it now: what changes later doesn't change an answer. */
const copy = (payment: BankPayment): BankPayment => ({
  ...payment,
  returns: payment.returns.map((returned) => ({ ...returned })),
})
