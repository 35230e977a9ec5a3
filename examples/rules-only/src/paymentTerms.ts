import { addDays, type LocalDate, nationalBankHolidays, nextBusinessDay } from "@pixcharge/core/calendar"
import { amountDueOn, chargeExpiry } from "@pixcharge/core/charge"
import { parseFees } from "@pixcharge/core/money"
import { type Cents, formatBrl } from "@pixcharge/core/money"
import * as Result from "effect/Result"

/** The shop's own rule: an order is due seven days after it was made, with 2 % fine and 1 % interest a month. */
const fees = Result.getOrThrow(
  parseFees({
    fine: { kind: "percent", basisPoints: 200 },
    interest: { kind: "percentPerMonth", days: "calendar", basisPoints: 100 },
  }),
)

/** What a shop knows of an order. */
export interface Order {
  readonly orderedOn: LocalDate
  readonly amountCents: Cents
}

/** The day on which the order is really due: never a day on which banks are closed. */
export const orderDueDate = (order: Order): LocalDate => nextBusinessDay(addDays(order.orderedOn, 7))

/** Until when goods stay reserved: as long as the charge can be paid. Epoch milliseconds. */
export const reservedUntil = (order: Order): number =>
  chargeExpiry({ createdAt: 0, dueDate: orderDueDate(order), graceDays: 3, holidays: nationalBankHolidays })
    .payableUntil

/** What a customer owes on a day. */
export const whatToPay = (order: Order, on: LocalDate): string => {
  const due = amountDueOn({ amountCents: order.amountCents, dueDate: orderDueDate(order), fees }, on)
  return formatBrl(due.totalCents)
}
