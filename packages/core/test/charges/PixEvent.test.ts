import { chargeEventId } from "@pixcharge/core/charges"
import { aCnpj, anotherCnpj, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import { describe, expect, it } from "vitest"

const charge = aPendingCharge({ issuer: aCnpj })

describe("the id of a charge's event", () => {
  it("stays the same when a restored charge is published again", () => {
    const restored = { ...charge, transactionId: crypto.randomUUID(), version: 7 }
    expect(restored.transactionId).not.toBe(charge.transactionId)
    expect(chargeEventId(restored, "paid")).toBe(chargeEventId(charge, "paid"))
  })

  it("differs by company, charge and kind", () => {
    const other = aPendingCharge({ issuer: aCnpj })
    const ids = [
      chargeEventId(charge, "paid"),
      chargeEventId(charge, "refunded"),
      chargeEventId({ ...charge, issuer: anotherCnpj }, "paid"),
      chargeEventId(other, "paid"),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("fits a signed header and contains no full stop (Standard Webhooks)", () => {
    for (const issuer of [aCnpj, "12ABC34501DE35" as typeof aCnpj]) {
      expect(chargeEventId({ ...charge, issuer }, "paid")).toMatch(/^[A-Za-z0-9_]{1,64}$/)
    }
  })
})
