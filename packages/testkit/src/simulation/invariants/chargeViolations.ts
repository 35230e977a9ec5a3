import type { DeliveryRecord } from "@pixcharge/core"
import { type Charge, type Return, returnedCents } from "@pixcharge/core/charge"
import type { BankLedger, BankPayment } from "../bank/BankLedger.ts"
import { nameOf } from "../names.ts"
import type { Violation } from "./Violation.ts"

const isSettled = (charge: Charge) =>
  charge._tag === "Paid" || charge._tag === "Refunding" || charge._tag === "Refunded"

const isSameReturn = (bank: BankPayment, { id, amountCents }: Return): boolean =>
  bank.returns.some((one) => one.id === id && one.status === "returned" && one.amountCents === amountCents)

/** What is wrong with a charge's money. */
export const moneyViolations = (charge: Charge, ledger: BankLedger): ReadonlyArray<Violation> => {
  const name = nameOf(charge.id)
  if (!isSettled(charge)) {
    return "payment" in charge
      ? [{ rule: "stateFollowsFromMoney", what: `${name} is ${charge._tag} with a payment` }]
      : []
  }
  const { payment, returns } = charge
  const bank = ledger.payments.get(payment.endToEndId)
  if (bank === undefined || bank.issuer !== charge.issuer || bank.amountCents !== payment.amountCents) {
    return [{ rule: "booksMatchBank", what: `${name} has a payment that the bank doesn't have` }]
  }
  const invented = returns.find((one) => !isSameReturn(bank, one))
  if (invented !== undefined) {
    return [{ rule: "booksMatchBank", what: `${name} has a return ${invented.id} that the bank doesn't have` }]
  }
  const back = returnedCents(payment.endToEndId, returns)
  if (charge._tag === "Refunded" && back < payment.amountCents) {
    return [{ rule: "stateFollowsFromMoney", what: `${name} is Refunded with ${back} cents of ${payment.amountCents}` }]
  }
  return []
}

/** What is wrong with a charge's events, each of which must be there for every one of so many endpoints. */
export const eventViolations = (
  charge: Charge,
  deliveries: ReadonlyArray<DeliveryRecord>,
  endpoints: number,
): ReadonlyArray<Violation> => {
  const name = nameOf(charge.id)
  const count = (kind: string) => deliveries.filter(({ event }) => event.kind === kind).length
  const expected = { paid: isSettled(charge) ? endpoints : 0, refunded: charge._tag === "Refunded" ? endpoints : 0 }
  const found: Array<Violation> = []
  for (const kind of ["paid", "refunded"] as const) {
    if (count(kind) !== expected[kind]) {
      const what = `${name} is ${charge._tag} with ${count(kind)} deliveries of ${kind}, not ${expected[kind]}`
      found.push({ rule: "eventForEachTransition", what })
    }
  }
  const isSuperseded = deliveries.some(({ event, status }) => event.kind === "paid" && status === "superseded")
  if (isSuperseded && charge._tag === "Paid") {
    found.push({ rule: "eventForEachTransition", what: `${name} is Paid and its paid event superseded` })
  }
  const isWaiting = deliveries.some(({ event, status }) => event.kind === "paid" && status === "waiting")
  if (isWaiting && charge._tag !== "Paid") {
    found.push({
      rule: "eventForEachTransition",
      what: `${name} is ${charge._tag} and its paid event still to be sent`,
    })
  }
  return found
}
