import type { LocalDate } from "@pixcharge/core/calendar"
import type { ChargeId } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { aPendingCharge, cents } from "@pixcharge/adapter-tests/fixtures"
import { expect, it } from "vitest"
import { expiredCharge } from "../src/routes/Renewals.ts"

const issuer = "12345678000195" as Cnpj
const id = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c" as ChargeId

// Made from the sha256sum of "pixcharge renewal|12345678000195|7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c". If a release derived
// another id, a payer could get two codes and pay twice.
const newId = "f53343a9-7164-869e-8d47-22569c157306"

it("returns the expired charge's terms, and the same new id in every process and release", () => {
  const charge = aPendingCharge({ issuer, id, amountCents: cents(1990) })
  expect(expiredCharge(charge)).toStrictEqual({ issuer, id, newId, amountCents: 1990 })
  const dueDate = "2027-03-08" as LocalDate
  expect(expiredCharge({ ...charge, dueDate })).toStrictEqual({ issuer, id, newId, amountCents: 1990, dueDate })
  expect(expiredCharge({ ...charge, issuer: "11222333000181" as Cnpj }).newId).not.toBe(newId)
})
