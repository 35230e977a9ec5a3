import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import { issuers } from "../../fixtures/EventWorld.ts"
import { txidOf } from "../names.ts"
import type { Action } from "../Action.ts"
import { nthPayment } from "./BankLedger.ts"
import type { LedgerBank } from "./LedgerBank.ts"

/** The companies of a run. Each has an endpoint of its own, and its reseller's. */
export const companies = issuers.slice(0, 2)
export const endpointsEach = 2

/** The company that issues the n-th charge. */
export const issuerOf = (n: number): Cnpj => companies[n % 2] as Cnpj

/** Does what payers and the bank's staff do; nothing, if it is somebody else's action. */
export const actAtBank = (bank: LedgerBank, action: Action): void => {
  switch (action.do) {
    case "pay":
      return bank.pay(issuerOf(action.charge), txidOf(action.charge), action.amountCents as Cents | undefined)
    case "payKey": {
      const { company, amountCents, charge } = action
      const issuer = charge === undefined ? issuerOf(company) : issuerOf(charge)
      return bank.payToKey(issuer, amountCents as Cents, charge === undefined ? undefined : txidOf(charge))
    }
    case "block": {
      const payment = nthPayment(bank.ledger, action.payment)
      return payment && bank.block(payment, action.ms)
    }
    case "returnOutside": {
      const payment = nthPayment(bank.ledger, action.payment)
      const kind = action.isDispute ? "dispute" : "outside"
      return payment && bank.returnOutside(payment, kind, action.isWhole)
    }
  }
}
