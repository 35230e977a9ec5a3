import { describe, expect, it } from "vitest"
import { cnpj } from "@pixcharge/adapter-tests/fixtures"
import { Accounts } from "../../judge/Accounts.ts"

const [one, other] = [cnpj("12345678000195"), cnpj("11222333000181")]

/** Two companies of one account: the first one's key moves to the second at 20 and back at 40. */
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
  ])("gives a payment of %i to any holder since then", (paidAt, owners) => {
    expect(openAccount().owners({ issuer: one, pixKey: "first", paidAt })).toEqual(owners)
  })

  it("gives a payment only to its holder once it moves no more", () => {
    expect(openAccount(true, 30).owners({ issuer: one, pixKey: "first", paidAt: 25 })).toEqual([other])
  })

  it.each([
    ["now", 30, undefined, true],
    ["since it moved", 30, 21, true],
    ["since before it moved", 30, 19, false],
    ["now that it is back", 50, undefined, false],
    ["since before it came back", 50, 30, false],
  ])("shows whether the key is another company's %s", (_, until, then, isAnothers) => {
    expect(openAccount(true, until).isKeyOfAnother(one, "first", then)).toBe(isAnothers)
  })

  it.each([
    [10, 19, false],
    [30, 19, true],
    [50, 30, true],
    [50, 41, false],
  ])("at %i can seem another company's since %i: %s", (until, then, canSeem) => {
    expect(openAccount(true, until).canSeemOfAnother(one, "first", then)).toBe(canSeem)
  })

  it("belongs to no other company if the bank hides it", () => {
    const accounts = openAccount(false)
    expect(accounts.canSeemOfAnother(one, "second", 10)).toBe(false)
    expect(accounts.isKeyOfAnother(one, "second")).toBe(false)
    expect(accounts.owners({ issuer: one, pixKey: "second", paidAt: 10 })).toEqual([one, other])
  })
})
