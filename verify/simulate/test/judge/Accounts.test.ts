import { describe, expect, it } from "vitest"
import { cnpj } from "@pixcharge/adapter-tests/fixtures"
import { Accounts } from "../../judge/Accounts.ts"

const [one, other] = [cnpj("12345678000195"), cnpj("11222333000181")]

/** Two companies of one account: the first one's key moves to the second at 20, and back at 40. */
const openAccount = (showsKeys = true, until = 50) => {
  const accounts = new Accounts(
    [
      { cnpj: one, holder: one, pixKey: "first" },
      { cnpj: other, holder: one, pixKey: "second" },
    ],
    showsKeys,
  )
  if (until > 20) accounts.moveKey("first", other, 20)
  if (until > 40) accounts.moveKey("first", one, 40)
  return accounts
}

describe("a key that moves between two companies of an account", () => {
  it.each([
    [10, [one, other]],
    [30, [one, other]],
    [45, [one]],
  ])("leaves a payment at %i to the companies that have had its key since", (paidAt, owners) => {
    expect(openAccount().owners({ issuer: one, pixKey: "first", paidAt })).toEqual(owners)
  })

  it("leaves a payment only to the key's new company while the key hasn't moved back", () => {
    expect(openAccount(true, 30).owners({ issuer: one, pixKey: "first", paidAt: 25 })).toEqual([other])
  })

  it.each([
    ["now", 30, undefined, true],
    ["since it moved", 30, 21, true],
    ["since before it moved", 30, 19, false],
    ["now that it is back", 50, undefined, false],
    ["since before it came back", 50, 30, false],
  ])("is another company's %s, or isn't", (_, until, then, isAnothers) => {
    expect(openAccount(true, until).isKeyOfAnother(one, "first", then)).toBe(isAnothers)
  })

  it("is nobody's where the bank doesn't show it", () => {
    const accounts = openAccount(false)
    expect(accounts.isKeyOfAnother(one, "second")).toBe(false)
    expect(accounts.owners({ issuer: one, pixKey: "second", paidAt: 10 })).toEqual([one, other])
  })
})
