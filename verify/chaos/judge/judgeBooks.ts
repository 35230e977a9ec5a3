import { Accounts, Judge, txidOf } from "../../simulate/judge/index.ts"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Evidence, Sale } from "./Evidence.ts"
import type { RowBooks } from "./readBooks.ts"

const saleTxid = ({ issuer, id }: Sale): string => txidOf(issuer, id)

/** The rules that must hold even after a database was set back. */
const moneyRules = new Set<string>(["booksMatchBank", "neverMoreBackThanPaid", "stateFollowsFromMoney"])

/** Judges the books by the simulation's rules. */
export const judgeBooks = (evidence: Evidence, books: RowBooks): ReadonlyArray<string> => {
  const { sales, ledger, receipts, companies, collectedAt, isSetBack } = evidence
  const accounts = new Accounts(
    companies.map((cnpj) => ({ cnpj, holder: cnpj, pixKey: "" })),
    false,
  )
  const endpoints = (issuer: Cnpj) => [{ id: `callback-${issuer}`, kinds: ["paid", "refunded"] as const }]
  const judge = new Judge(
    { now: collectedAt, note: () => undefined },
    { execute: (doing, onExit) => onExit(Effect.runSyncExit(doing)) },
    { companies, endpoints, books, ledger, accounts, listsAfterMs: 0, receipts },
  )
  for (const sale of sales) {
    for (const [key, cents] of sale.parts) judge.requests.refundPart(saleTxid(sale), key, cents)
    for (const { operation, key } of sale.answers) {
      if (operation === "refund") judge.requests.refund(saleTxid(sale))
      if (operation === "exceptions.refund") judge.requests.refund(key)
    }
  }
  if (isSetBack) judge.setBack()
  const row = { name: "row" }
  for (const charge of books.all.charges) judge.judgeWrite(row, { what: "", charge })
  for (const { payment } of books.all.exceptions) judge.judgeWrite(row, { what: "", exception: payment })
  for (const payment of ledger.payments.values()) {
    for (const [index, order] of payment.returns.entries()) {
      const before = { ...payment, returns: payment.returns.slice(0, index) }
      judge.processor.judgeReturnOrder(before, { ...order, issuer: payment.issuer, endToEndId: payment.endToEndId })
    }
  }
  return [...judge.violations, ...Effect.runSync(judge.auditAll())]
    .filter(({ rule }) => !isSetBack || moneyRules.has(rule))
    .map(({ rule, what }) => `${rule}: ${what}`)
}
