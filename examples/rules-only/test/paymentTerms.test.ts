import type { LocalDate } from "@pixcharge/core/calendar"
import type { Cents } from "@pixcharge/core/money"
import { expect, it } from "vitest"
import { orderDueDate, reservedUntil, whatToPay } from "../src/paymentTerms.ts"

const order = { orderedOn: "2026-12-18" as LocalDate, amountCents: 10_000 as Cents }

it("an order of 18 December is due after Christmas and the weekend", () => {
  expect(orderDueDate(order)).toBe("2026-12-28")
})

it("goods stay reserved to the end of the third day after, in Brasília", () => {
  expect(new Date(reservedUntil(order)).toISOString()).toBe("2027-01-01T02:59:59.999Z")
})

it("nothing is added on the due date, and fine and interest from the day after", () => {
  expect(whatToPay(order, "2026-12-28" as LocalDate)).toBe("R$ 100,00")
  expect(whatToPay(order, "2026-12-29" as LocalDate)).toBe("R$ 102,03")
})
