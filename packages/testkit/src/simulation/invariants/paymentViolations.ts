import { chargeIdFromTxid, type Payment, type Return, returnedCents } from "@pixcharge/core/charge"
import type { Ledger, LedgerPayment } from "@pixcharge/simulated-bank"
import type { Violation } from "./Violation.ts"

const isSamePayment = (bank: LedgerPayment, { issuer, txid, amountCents, paidAt, chargeId }: Payment): boolean =>
  bank.issuer === issuer &&
  bank.txid === txid &&
  bank.amountCents === amountCents &&
  bank.paidAt === paidAt &&
  (chargeId === undefined || (txid !== undefined && chargeIdFromTxid(txid) === chargeId))

const isSameReturn = (bank: LedgerPayment, { issuer, id, kind, amountCents }: Return): boolean =>
  bank.issuer === issuer &&
  bank.returns.some(
    (one) => one.id === id && one.kind === kind && one.status === "returned" && one.amountCents === amountCents,
  )

/** What is wrong with a payment and its returns, as a charge or an exception has them. */
export const paymentViolations = (
  name: string,
  payment: Payment,
  returns: ReadonlyArray<Return>,
  { payments }: Ledger,
): ReadonlyArray<Violation> => {
  const bank = payments.get(payment.endToEndId)
  if (bank === undefined || !isSamePayment(bank, payment)) {
    return [{ rule: "booksMatchBank", what: `${name} has a payment that the bank doesn't have, or not so` }]
  }
  const invented = returns.find((one) => one.endToEndId !== payment.endToEndId || !isSameReturn(bank, one))
  if (invented !== undefined) {
    return [{ rule: "booksMatchBank", what: `${name} has a return ${invented.id} that the bank doesn't have` }]
  }
  const back = returnedCents(payment.endToEndId, returns)
  return back > payment.amountCents
    ? [{ rule: "neverMoreBackThanPaid", what: `${name} has ${back} cents back of ${payment.amountCents}` }]
    : []
}
