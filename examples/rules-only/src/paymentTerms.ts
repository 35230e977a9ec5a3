import { addDays, amountDueOn, chargeExpiry, formatBrl, nextBusinessDay } from "@pixcharge/core/plain"

/** The shop's own rule: an order is due seven days after it was made, with 2 % fine and 1 % interest a month. */
const fees = {
  fine: { kind: "percent", basisPoints: 200 },
  interest: { kind: "percentPerMonth", days: "calendar", basisPoints: 100 },
} as const

/** An order, as the shop stores it. */
export interface Order {
  /** `YYYY-MM-DD`. */
  readonly orderedOn: string
  readonly amountCents: number
}

/** The order's actual due date, never a day on which banks are closed. */
export const orderDueDate = (order: Order): string => nextBusinessDay(addDays(order.orderedOn, 7))

/** The end of the goods' reservation, when the charge can no longer be paid, in epoch milliseconds. */
export const reservedUntil = (order: Order): number =>
  chargeExpiry({ dueDate: orderDueDate(order), graceDays: 3 }).payableUntil

/** The customer's debt on a day, or why the order is invalid. */
export const whatToPay = (order: Order, on: string): string => {
  const dueDate = orderDueDate(order)
  const due = amountDueOn.safe({ amountCents: order.amountCents, dueDate, fees }, on)
  return due.ok ? formatBrl(due.value.totalCents) : due.error.message
}
