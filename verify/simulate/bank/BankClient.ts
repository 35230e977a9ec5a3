import type { PaymentSearch } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { type Bank, type BankOrder, type ChargeAnswer, chargePayments } from "@pixcharge/simulated-bank"
import type { LedgerPayment, ReturnAnswer, ReturnOrder } from "@pixcharge/simulated-bank"
import type { FaultDecisions } from "../FaultDecisions.ts"
import { shortName } from "../judge/names.ts"
import { accountHolder } from "../names.ts"
import type { Actor } from "../World.ts"
import { type BankWorld, makeBankCall } from "./callBank.ts"

const cutPage = (found: ReadonlyArray<LedgerPayment>, from: number, size: number, faults: FaultDecisions) => {
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

const ofAccount = <A extends { readonly issuer: Cnpj }>(order: A): A => ({
  ...order,
  issuer: accountHolder(order.issuer),
})

/**
 * The bank's client of one process. `showsKeys`: payments show their key. Each company of an account sees all payments
 * of the account. A call can be slow, get lost, or arrive long after its caller gave up. An answer is a copy, which later
 * changes don't affect.
 */
export const makeBankClient = (around: BankWorld, caller: Actor, bank: Bank, showsKeys: boolean) => {
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
    /** The bank's clock in epoch milliseconds. */
    now: bank.chance.now,
    putCharge: (order: BankOrder) =>
      call<ChargeAnswer>(`make ${shortName(order.txid)} for ${order.terms.amountCents} cents`, (give) =>
        bank.putCharge(ofAccount(order), (answer) => give(structuredClone(answer))),
      ),
    alterCharge: (order: BankOrder) =>
      now(`alter ${shortName(order.txid)} to ${order.terms.amountCents} cents`, () =>
        bank.alterCharge(ofAccount(order)),
      ),
    getCharge: (issuer: Cnpj, txid: string) =>
      now(`show ${shortName(txid)}`, () => bank.getCharge(accountHolder(issuer), txid)),
    getChargeAndPayments: (issuer: Cnpj, txid: string) =>
      now(`show ${shortName(txid)} with payments`, () => {
        const charge = bank.getCharge(accountHolder(issuer), txid)
        const payments = chargePayments(bank.ledger, accountHolder(issuer), txid)
        return charge && { charge, payments: payments.map((payment) => asShown(issuer, payment)) }
      }),
    removeCharge: (issuer: Cnpj, txid: string) =>
      now(`remove ${shortName(txid)}`, () => bank.removeCharge(accountHolder(issuer), txid)),
    getPayment: (issuer: Cnpj, endToEndId: string) =>
      now(`show ${shortName(endToEndId)}`, () => {
        const payment = bank.getPayment(accountHolder(issuer), endToEndId)
        return payment && asShown(issuer, payment)
      }),
    listPayments: (issuer: Cnpj, search: PaymentSearch, cursor = "0") =>
      now(`list payments${search.isReturned === true ? " with returns" : ""}`, () =>
        cutPage(
          bank.findPayments(accountHolder(issuer), search).map((payment) => asShown(issuer, payment)),
          Number(cursor),
          pageSize,
          around.faults,
        ),
      ),
    putReturn: (order: ReturnOrder) =>
      call<ReturnAnswer | undefined>(
        `return ${shortName(order.endToEndId)} by ${order.id.slice(-2)}`,
        (give) => bank.returns.put(ofAccount(order), (answer) => give(structuredClone(answer))),
        order.id,
      ),
    getReturn: (issuer: Cnpj, endToEndId: string, id: string) =>
      now(`show the return of ${shortName(endToEndId)} by ${id.slice(-2)}`, () =>
        bank.returns.get(accountHolder(issuer), endToEndId, id),
      ),
  }
}

export type BankClient = ReturnType<typeof makeBankClient>
