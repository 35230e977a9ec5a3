import type { Charge } from "@pixcharge/core/charges"
import type { LedgerCharge } from "@pixcharge/simulated-bank"
import { describe, expect, it } from "vitest"
import { Changes, Sendings } from "../../judge/Changes.ts"
import { findWrongMarks } from "../../judge/marks.ts"
import { type TermsRow, TermsRows } from "../../judge/TermsRows.ts"
import type { SettledCharge } from "../../judge/money.ts"

const dayMs = 86_400_000
const nothing = /^$/
const row = (number: number, amountCents: number, more: object = {}) =>
  ({ number, amountCents, payableUntil: 1_000, watchUntil: 1_000 + dayMs, requestedAt: 0, ...more }) as TermsRow
const issued = row(1, 100, { inForceAt: 0 })
const asked = (more: object = {}) => row(2, 200, { key: "a", by: "host", ...more })
const inForce = asked({ inForceAt: 1 })
const refused = asked({ refusedAt: 1 })
const longer = asked({ payableUntil: 9_000 })
const bankOf = (...cents: ReadonlyArray<number>) =>
  ({ revision: cents.length - 1, termsByRevision: cents.map((amountCents) => ({ amountCents })) }) as LedgerCharge

describe("the marks of a payment", () => {
  const find = (changed: TermsRow | undefined, amountCents: number, paid: object = {}, bank = bankOf(100)) => {
    const payment = { paidAt: 500, recordedAt: 500, late: false, otherAmount: false, amountCents, ...paid }
    const termsRows = changed === undefined ? [issued] : [issued, changed]
    const charge = { createdAt: 0, termsRows, payment } as unknown as SettledCharge
    return findWrongMarks({ charge, bank, readRevision: bank.revision, wasUnseen: false })
  }
  const marked = { otherAmount: true }
  const later = { paidAt: 8_000 }

  it.each([
    ["the issue's amount after a change", find(inForce, 100), nothing],
    ["the amount of a requested change", find(asked(), 200), nothing],
    ["a refused amount that is marked", find(refused, 200, marked), nothing],
    ["a refused amount that the bank had", find(refused, 200, {}, bankOf(100, 200)), nothing],
    ["the time of a longer change", find(longer, 100, later), nothing],
    ["a marked amount of earlier terms", find(inForce, 100, marked), /asks for it/],
    ["a refused amount", find(refused, 200), /never asked for/],
    ["an amount that is refused after its payment", find(asked({ refusedAt: 600 }), 200), nothing],
    ["a marked amount that its payer read", find(undefined, 300, marked, bankOf(100, 300)), /was shown it/],
    ["a late time before the last end", find(longer, 100, { ...later, late: true }), /had not ended/],
    ["a time after each end", find(asked(), 100, later), /had ended/],
  ])("are judged for %s", (_, found, what) => expect(found.join("; ")).toMatch(what))
})

describe("the mark of a payment of 100 cents whose payer was shown no abatement", () => {
  const dueDate = "1970-01-05"
  const abated = (number: number, amountCents: number) =>
    row(number, 100, { dueDate, fees: { abatement: { kind: "fixed", amountCents } } })
  const find = (...termsRows: ReadonlyArray<TermsRow>) => {
    const payment = { paidAt: 500, late: false, otherAmount: true, amountCents: 100 }
    const charge = { createdAt: 0, termsRows, payment } as unknown as SettledCharge
    const terms = (valor: object) => ({ amountCents: 100, dueDate, body: { calendario: {}, valor } })
    const termsByRevision = [terms({ abatimento: { modalidade: 1, valorPerc: "0.20" } }), terms({})]
    const bank = { revision: 1, termsByRevision } as unknown as LedgerCharge
    return findWrongMarks({ charge, bank, readRevision: 1, wasUnseen: false }).join()
  }

  it("is wrong unless the books have forgotten the change", () => {
    expect(find(abated(1, 20))).toBe("")
    expect(find(abated(1, 20), abated(2, 30))).toMatch(/was shown it/)
  })
})

it("takes terms as unseen from minutes before a failed look-up until minutes after it", () => {
  const changes = new Changes()
  const look = { caller: "h", method: "lookup", args: [{ txid: "c" }], clockAt: 0, isAlone: true, answer: undefined }
  changes.recordAnswer({ ...look, requestedAt: dayMs, failure: "ProcessorUnavailable" }, 2 * dayMs)
  const wasUnseen = (recordedAt: number) => changes.wasUnseen({ txid: "c", payment: { recordedAt } } as SettledCharge)
  expect([dayMs + 1, 1.5 * dayMs, 2 * dayMs].map(wasUnseen)).toEqual([true, true, true])
  expect([0, 0.9 * dayMs, 2.1 * dayMs].map(wasUnseen)).toEqual([false, false, false])
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

  it.each([
    ["come into force", judgeOf([issued, asked()], [issued, asked({ inForceAt: 5 })]), nothing],
    ["are overwritten", judgeOf([issued, asked()], [issued, asked({ amountCents: 201 })]), /overwritten/],
    ["end twice", judgeOf([issued, asked({ inForceAt: 5 })], [issued, asked({ inForceAt: 6 })]), /ended twice/],
    ["go", judgeOf([issued, asked()], [issued]), /are gone/],
    ["skip a number", judgeOf([issued, row(3, 200, { key: "a", by: "host" })]), /aren't numbered/],
    ["nobody asked for", judgeOf([issued, asked({ key: "b" })]), /no client requested/],
    ["were never at the bank", judgeOf([issued, asked({ amountCents: 900, by: "bank", inForceAt: 1 })]), /never had/],
    ["were never refused", judgeOf([issued, refused]), /never refused/],
    ["restore the stored ones", judgeOf([issued, row(2, 100, { by: "host" })]), /without two requests/],
    ["shorten the watch", judgeOf([issued, asked({ watchUntil: 9 * dayMs })], [issued]), /was watched until/],
  ])("are judged if they %s", (_, found, what) => expect(found.join("; ")).toMatch(what))
})

describe("a call that changes a charge", () => {
  const order = { caller: "h", method: "change", args: [{ txid: "c", amountCents: 200 }], clockAt: 0 }
  const learn = (sendings: Sendings, termsRows: ReadonlyArray<TermsRow>, now: number) => {
    const answer = { _tag: "Pending", txid: "c", watchUntil: 0, termsRows }
    sendings.learn("h", { port: "store", method: "find", args: [], answer }, now)
  }

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
    const look = { ...order, method: "lookup", requestedAt: 2 }
    sendings.recordLook(look, { status: "active", payments: [], returns: [], terms })
    expect(sendings.judge({ ...order, requestedAt: 3 }).join()).toMatch(/over later terms/)
    learn(sendings, [issued, asked({ inForceAt: 5 })], 5)
    expect(sendings.judge({ ...order, requestedAt: 300_000 }).join()).toMatch(/has ended/)
  })
})
