import type { Charge } from "@pixcharge/core/charges"
import type { LedgerCharge } from "@pixcharge/simulated-bank"
import { describe, expect, it } from "vitest"
import { findWrongMarks } from "../../judge/marks.ts"
import { Sendings } from "../../judge/Changes.ts"
import { type TermsRow, TermsRows } from "../../judge/TermsRows.ts"
import type { SettledCharge } from "../../judge/money.ts"

const dayMs = 86_400_000
const row = (number: number, amountCents: number, more: object = {}) =>
  ({ number, amountCents, payableUntil: 1_000, watchUntil: 1_000 + dayMs, requestedAt: 0, ...more }) as TermsRow
const issued = row(1, 100, { inForceAt: 0 })
const asked = (more: object = {}) => row(2, 200, { key: "a", by: "host", ...more })
const bankOf = (...cents: ReadonlyArray<number>) =>
  ({ revision: cents.length - 1, termsByRevision: cents.map((amountCents) => ({ amountCents })) }) as LedgerCharge

describe("the marks of a payment", () => {
  const find = (
    termsRows: ReadonlyArray<TermsRow>,
    paid: {
      readonly amountCents: number
      readonly otherAmount?: boolean
      readonly late?: boolean
      readonly paidAt?: number
    },
    bank = bankOf(100),
    readRevision = 0,
  ) => {
    const payment = { paidAt: 500, late: false, otherAmount: false, ...paid }
    const charge = { createdAt: 0, termsRows, payment } as unknown as SettledCharge
    return findWrongMarks({ charge, bank, readRevision, wasUnseen: false })
  }
  const refused = asked({ refusedAt: 1 })

  it.each([
    ["the issue's amount after a change", find([issued, asked({ inForceAt: 1 })], { amountCents: 100 })],
    ["the amount of a requested change", find([issued, asked()], { amountCents: 200 })],
    ["a refused amount that is marked", find([issued, refused], { amountCents: 200, otherAmount: true })],
    ["a refused amount that the bank had", find([issued, refused], { amountCents: 200 }, bankOf(100, 200))],
    [
      "the time of a longer change",
      find([issued, asked({ payableUntil: 9_000 })], { amountCents: 100, paidAt: 8_000 }),
    ],
  ])("are right for %s", (_, found) => expect(found).toEqual([]))

  it.each([
    [
      "an amount of earlier terms",
      find([issued, asked({ inForceAt: 1 })], { amountCents: 100, otherAmount: true }),
      /asks for it/,
    ],
    ["a refused amount", find([issued, refused], { amountCents: 200 }), /never asked for/],
    [
      "an amount that its payer read",
      find([issued], { amountCents: 300, otherAmount: true }, bankOf(100, 300), 1),
      /was shown it/,
    ],
    [
      "a time before the last end",
      find([issued, asked({ payableUntil: 9_000 })], { amountCents: 100, late: true, paidAt: 8_000 }),
      /had not ended/,
    ],
    ["a time after each end", find([issued, asked()], { amountCents: 100, paidAt: 8_000 }), /had ended/],
  ])("are wrong for %s", (_, found, what) => expect(found.join("; ")).toMatch(what))
})

describe("stored terms", () => {
  const judgeOf = (...states: ReadonlyArray<ReadonlyArray<TermsRow>>) => {
    const rows = new TermsRows()
    rows.ask({ issuer: "c", id: "1" } as unknown as Charge, { key: "a", fields: { amountCents: 200 } })
    return states.flatMap((termsRows) => {
      const current = termsRows.findLast(({ inForceAt }) => inForceAt !== undefined)
      const watchUntil = Math.max(...termsRows.map((one) => one.watchUntil))
      const charge = { ...current, issuer: "c", id: "1", txid: "c", createdAt: 0, termsRows, watchUntil }
      return rows.judge(charge as unknown as Charge, { bank: bankOf(100, 200), isContested: false })
    })
  }

  it("are right from the request to its end", () => {
    expect(judgeOf([issued, asked()], [issued, asked({ inForceAt: 5 })])).toEqual([])
  })

  it.each([
    ["are overwritten", judgeOf([issued, asked()], [issued, asked({ amountCents: 201 })]), /overwritten/],
    ["end twice", judgeOf([issued, asked({ inForceAt: 5 })], [issued, asked({ inForceAt: 6 })]), /ended twice/],
    ["go", judgeOf([issued, asked()], [issued]), /are gone/],
    ["skip a number", judgeOf([issued, row(3, 200, { key: "a", by: "host" })]), /aren't numbered/],
    ["nobody asked for", judgeOf([issued, asked({ key: "b" })]), /no client requested/],
    ["were never at the bank", judgeOf([issued, asked({ amountCents: 900, by: "bank", inForceAt: 1 })]), /never had/],
    ["were never refused", judgeOf([issued, asked({ refusedAt: 1 })]), /never refused/],
    ["restore the stored ones", judgeOf([issued, row(2, 100, { by: "host" })]), /without two requests/],
    ["shorten the watch", judgeOf([issued, asked({ watchUntil: 9 * dayMs })], [issued]), /was watched until/],
  ])("are wrong if they %s", (_, found, what) => expect(found.join("; ")).toMatch(what))
})

describe("a call that changes a charge", () => {
  const order = { caller: "h", method: "change", args: [{ txid: "c", amountCents: 200 }], clockAt: 0 }
  const learn = (sendings: Sendings, termsRows: ReadonlyArray<TermsRow>, now: number) =>
    sendings.learn(
      "h",
      { port: "store", method: "find", args: [], answer: { _tag: "Pending", txid: "c", watchUntil: 0, termsRows } },
      now,
    )

  it("sends requested terms", () => {
    const sendings = new Sendings()
    expect(sendings.judge({ ...order, requestedAt: 1 }).join()).toMatch(/aren't requested/)
    learn(sendings, [issued, asked()], 1)
    expect(sendings.judge({ ...order, requestedAt: 2 })).toEqual([])
  })

  it("comes before their end is known, and never over later terms that the bank showed", () => {
    const sendings = new Sendings()
    learn(sendings, [issued, asked({ revision: 0 })], 1)
    const terms = { revision: 2, amountCents: 300 } as never
    sendings.recordLook(
      { ...order, method: "lookup", requestedAt: 2 },
      { status: "active", payments: [], returns: [], terms },
    )
    expect(sendings.judge({ ...order, requestedAt: 3 }).join()).toMatch(/over later terms/)
    learn(sendings, [issued, asked({ inForceAt: 5 })], 5)
    expect(sendings.judge({ ...order, requestedAt: 300_000 }).join()).toMatch(/has ended/)
  })
})
