import type { Page, PaymentSearch } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { chargePayments } from "@pixcharge/simulated-bank"
import type {
  Bank,
  BankOrder,
  BankWays,
  ChargeAnswer,
  LedgerCharge,
  LedgerPayment,
  LedgerReturn,
  ReturnAnswer,
  ReturnOrder,
} from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { FaultDecision, FaultDecisions } from "../FaultDecisions.ts"
import { shortName } from "../judge/names.ts"
import { accountHolder } from "../names.ts"
import type { NetworkCall, Passage } from "../networkCall.ts"
import type { Actor, Timeline } from "../World.ts"

export interface ListedPage extends Page<LedgerPayment> {
  readonly unreadable: number
}

/**
 * The bank's calls for one process. A call can be slow, get lost, or arrive long after its caller gave up. A lost or
 * late call never returns.
 */
export interface BankClient {
  readonly ways: Pick<BankWays, "putOnExisting" | "patchOfTerms" | "pageSize">
  readonly showsKeys: boolean
  /** The bank's clock in epoch milliseconds. */
  readonly now: () => number
  readonly putCharge: (order: BankOrder) => Effect.Effect<ChargeAnswer>
  readonly alterCharge: (order: BankOrder) => Effect.Effect<ChargeAnswer | undefined>
  readonly getCharge: (issuer: Cnpj, txid: string) => Effect.Effect<LedgerCharge | undefined>
  readonly getChargeAndPayments: (
    issuer: Cnpj,
    txid: string,
  ) => Effect.Effect<{ readonly charge: LedgerCharge; readonly payments: ReadonlyArray<LedgerPayment> } | undefined>
  readonly removeCharge: (issuer: Cnpj, txid: string) => Effect.Effect<ChargeAnswer | undefined>
  readonly getPayment: (issuer: Cnpj, endToEndId: string) => Effect.Effect<LedgerPayment | undefined>
  readonly listPayments: (issuer: Cnpj, search: PaymentSearch, cursor?: string) => Effect.Effect<ListedPage>
  readonly putReturn: (order: ReturnOrder) => Effect.Effect<ReturnAnswer | undefined>
  readonly getReturn: (issuer: Cnpj, endToEndId: string, id: string) => Effect.Effect<LedgerReturn | undefined>
}

const minuteMs = 60_000
/** The maximum delays of a call that still takes effect. */
const latestMs = {
  bank: [minuteMs, 50 * minuteMs, 300 * minuteMs],
  returns: [minuteMs, 50 * minuteMs, 300 * minuteMs, 300 * minuteMs],
} as const

/** Shorter than the time limit of the bank's clients. */
const slowestMs = 3_500

const passage = (decision: FaultDecision, lateness: keyof typeof latestMs): Passage => {
  const { random } = decision
  const arriveMs = random.between(1, 150)
  const answerMs = random.between(1, 150)
  if (decision.hasFault("bank", "lost")) return { arriveMs, answerMs, lost: "request" }
  if (decision.hasFault("bank", "unanswered", 2)) return { arriveMs, answerMs, lost: "answer" }
  if (decision.hasFault(lateness, "late", 2)) {
    return { arriveMs: random.between(1_000, random.pick(latestMs[lateness])), answerMs, lost: "answer" }
  }
  if (decision.hasFault("deaths", "death before")) return { arriveMs, answerMs, dies: "before" }
  if (decision.hasFault("deaths", "death after")) return { arriveMs, answerMs, dies: "after" }
  return { arriveMs, answerMs: decision.hasFault("bank", "slow") ? random.between(1_000, slowestMs) : answerMs }
}

export interface BankWorld {
  readonly world: Pick<Timeline, "note" | "now">
  readonly network: { readonly call: NetworkCall }
  readonly faults: FaultDecisions
  /** Called when a request for the return `id` arrives. `sentAt` is the time of sending, in epoch milliseconds. */
  readonly onReturnRequested: (caller: Actor, id: string, sentAt: number) => void
}

const cutPage = (
  found: ReadonlyArray<LedgerPayment>,
  from: number,
  size: number,
  faults: FaultDecisions,
): ListedPage => {
  const items = found.slice(from, from + size)
  const isReadable = ({ endToEndId }: LedgerPayment): boolean =>
    !faults.decideOnce(`the list of ${shortName(endToEndId)}`).hasFault("lists", "unreadable")
  const readable = items.filter(isReadable)
  return {
    items: readable,
    unreadable: items.length - readable.length,
    ...(from + size < found.length && { cursor: String(from + size) }),
  }
}

/** Calls the bank, which acts when the call arrives. The faults follow from the call's name. */
export type BankCall = <A>(
  what: string,
  doing: (answer: (value: A) => void) => void,
  returnId?: string,
) => Effect.Effect<A>

export const makeBankCall =
  ({ world, network, faults, onReturnRequested }: BankWorld, caller: Actor): BankCall =>
  <A>(what: string, doing: (answer: (value: A) => void) => void, returnId?: string) =>
    Effect.suspend(() => {
      const sentAt = world.now
      const lateness = returnId === undefined ? "bank" : "returns"
      const way = passage(faults.decideNext(`${caller.name} asks to ${what}`), lateness)
      if (way.lost === "request") world.note("bank", `never hears ${caller.name} ask to ${what}`)
      return network.call<A, never>(caller, way, (onExit) => {
        world.note("bank", `${caller.name} asks to ${what}${way.lost === "answer" ? ", and hears no answer" : ""}`)
        if (returnId !== undefined) onReturnRequested(caller, returnId, sentAt)
        doing((value) => onExit(Exit.succeed(value)))
      })
    })

const ofAccount = <A extends { readonly issuer: Cnpj }>(order: A): A => ({
  ...order,
  issuer: accountHolder(order.issuer),
})

/**
 * The bank's client of one process. `showsKeys`: payments show their key. Each company of an account sees all payments
 * of the account. An answer is a copy, which later changes don't affect.
 */
export const makeBankClient = (around: BankWorld, caller: Actor, bank: Bank, showsKeys: boolean): BankClient => {
  const asShown = (issuer: Cnpj, payment: LedgerPayment): LedgerPayment => ({
    ...payment,
    issuer,
    pixKey: showsKeys ? payment.pixKey : "",
  })
  const call = makeBankCall(around, caller)
  const now = <A>(what: string, answer: () => A) => call<A>(what, (give) => give(structuredClone(answer())))
  const { putOnExisting, patchOfTerms, pageSize } = bank.ways

  return {
    ways: { putOnExisting, patchOfTerms, pageSize },
    showsKeys,
    now: bank.chance.now,
    putCharge: (order) =>
      call(`make ${shortName(order.txid)} for ${order.terms.amountCents} cents`, (give) =>
        bank.putCharge(ofAccount(order), (answer) => give(structuredClone(answer))),
      ),
    alterCharge: (order) =>
      now(`alter ${shortName(order.txid)} to ${order.terms.amountCents} cents`, () =>
        bank.alterCharge(ofAccount(order)),
      ),
    getCharge: (issuer, txid) => now(`show ${shortName(txid)}`, () => bank.getCharge(accountHolder(issuer), txid)),
    getChargeAndPayments: (issuer, txid) =>
      now(`show ${shortName(txid)} with payments`, () => {
        const charge = bank.getCharge(accountHolder(issuer), txid)
        const payments = chargePayments(bank.ledger, accountHolder(issuer), txid)
        return charge && { charge, payments: payments.map((payment) => asShown(issuer, payment)) }
      }),
    removeCharge: (issuer, txid) =>
      now(`remove ${shortName(txid)}`, () => bank.removeCharge(accountHolder(issuer), txid)),
    getPayment: (issuer, endToEndId) =>
      now(`show ${shortName(endToEndId)}`, () => {
        const payment = bank.getPayment(accountHolder(issuer), endToEndId)
        return payment && asShown(issuer, payment)
      }),
    listPayments: (issuer, search, cursor = "0") =>
      now(`list payments${search.isReturned === true ? " with returns" : ""}`, () =>
        cutPage(
          bank.findPayments(accountHolder(issuer), search).map((payment) => asShown(issuer, payment)),
          Number(cursor),
          pageSize,
          around.faults,
        ),
      ),
    putReturn: (order) =>
      call(
        `return ${shortName(order.endToEndId)} by ${order.id.slice(-2)}`,
        (give) => bank.returns.put(ofAccount(order), (answer) => give(structuredClone(answer))),
        order.id,
      ),
    getReturn: (issuer, endToEndId, id) =>
      now(`show the return of ${shortName(endToEndId)} by ${id.slice(-2)}`, () =>
        bank.returns.get(accountHolder(issuer), endToEndId, id),
      ),
  }
}
