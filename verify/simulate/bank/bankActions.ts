import {
  type Bank,
  bankWays,
  type ChargeTerms,
  type Ledger,
  type LedgerPayment,
  returningCents,
} from "@pixcharge/simulated-bank"
import type { Cents } from "@pixcharge/core/money"
import { accountHolder, chargeIssuer, chargeTxidAt, companies, companyFacts } from "../names.ts"
import type { Action } from "../Action.ts"
import { amountDue } from "../judge/fees.ts"
import { dayAt } from "../judge/recurrences/calendar.ts"

/** The n-th payment, from 1. Higher numbers start over: plans don't know how many there are. */
export const nthPayment = ({ payments }: Ledger, n: number): LedgerPayment | undefined =>
  [...payments.values()][(n - 1) % payments.size]

/** Banks return no payment after 90 days (API Pix, `devolucao`). */
const returnableMs = 90 * 86_400_000

/** Efí shows payments without the nature of their returns: a dispute looks like any return of the bank. */
const hidesDisputes = ({ ways }: Bank): boolean => ways.reshape === bankWays.efi.production.reshape

/** A body that a process sent through API Pix states the amount, too. */
const withAmount = ({ body, ...terms }: ChargeTerms, amountCents: Cents): ChargeTerms => ({
  ...terms,
  amountCents,
  ...(body && {
    body: { ...body, valor: { ...body.valor, original: body.valor.original && (amountCents / 100).toFixed(2) } },
  }),
})

/** Executes actions of payers and the bank's staff; ignores other actions. */
export const actAtBank = (bank: Bank, action: Action): void => {
  switch (action.do) {
    case "pay": {
      const [holder, txid] = [accountHolder(chargeIssuer(action.charge)), chargeTxidAt(action.charge)]
      const known = bank.getCharge(holder, txid)
      const revision = Math.max(0, (known?.revision ?? 0) - (action.revisionsAgo ?? 0))
      const { amountCents, dueDate, body } = known?.termsByRevision[revision] ?? {}
      const due =
        amountCents !== undefined && dueDate !== undefined
          ? { amountCents: amountDue(amountCents, dueDate, body?.valor ?? {}, dayAt(bank.chance.now())) }
          : {}
      bank.pay(holder, txid, { ...due, ...action, revision })
      return
    }
    case "payKey": {
      const { company, amountCents, charge, agoMs, isAstray = false } = action
      const place = ((charge ?? company) + Number(isAstray)) % companies.length
      bank.payToKey(companyFacts[place]?.pixKey ?? "", amountCents, {
        ...(charge !== undefined && { txid: chargeTxidAt(charge) }),
        ...(agoMs !== undefined && { paidAt: bank.chance.now() - agoMs }),
      })
      return
    }
    case "changeAtBank": {
      const place = { issuer: accountHolder(chargeIssuer(action.charge)), txid: chargeTxidAt(action.charge) }
      const terms = bank.getCharge(place.issuer, place.txid)?.terms
      return terms && void bank.alterCharge({ ...place, terms: withAmount(terms, action.amountCents as Cents) })
    }
    case "remove":
      return void bank.removeCharge(accountHolder(chargeIssuer(action.charge)), chargeTxidAt(action.charge), "bank")
    case "block": {
      const payment = nthPayment(bank.ledger, action.payment)
      return payment && bank.returns.block(payment, action.ms)
    }
    case "returnOutside": {
      const payment = nthPayment(bank.ledger, action.payment)
      const left = payment === undefined ? 0 : payment.amountCents - returningCents(payment)
      const amountCents = action.isWhole ? left : Math.floor(left / 2)
      if (payment !== undefined && amountCents > 0 && bank.chance.now() <= payment.paidAt + returnableMs) {
        const kind = action.isDispute && !hidesDisputes(bank) ? "dispute" : "outside"
        bank.returns.makeOutside(payment, kind, amountCents)
      }
    }
  }
}
