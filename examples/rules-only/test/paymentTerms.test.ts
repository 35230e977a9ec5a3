import { expect, it } from "vitest"
import { orderDueDate, reservedUntil, whatToPay } from "../src/paymentTerms.ts"

const order = { orderedOn: "2026-12-18", amountCents: 10_000 }

it("moves the due date of an order of 18 December past Christmas and the weekend", () => {
  expect(orderDueDate(order)).toBe("2026-12-28")
})

it("reserves goods until the end of the third day after the due date, in Brasília", () => {
  expect(new Date(reservedUntil(order)).toISOString()).toBe("2027-01-01T02:59:59.999Z")
})

it("adds fine and interest only from the day after the due date", () => {
  expect(whatToPay(order, "2026-12-28")).toBe("R$ 100,00")
  expect(whatToPay(order, "2026-12-29")).toBe("R$ 102,03")
})

it("explains or throws that a day doesn't exist", () => {
  expect(whatToPay(order, "2026-02-29")).toContain("YYYY-MM-DD")
  expect(() => orderDueDate({ ...order, orderedOn: "18/12/2026" })).toThrow("YYYY-MM-DD")
})
