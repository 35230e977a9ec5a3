import { describe, expect, it } from "vitest"
import { companies, type Company } from "../../world/companies.ts"
import { type BankBooks, judgeEntry, type StatusAnswer } from "../outside/judgeEntry.ts"
import { Ledger, type LedgerEntry } from "../outside/Ledger.ts"

const company = companies[0] as Company
const entry = (facts: Partial<LedgerEntry> = {}): LedgerEntry =>
  Object.assign(new Ledger().add("a charge", company, 500), { isIssued: true }, facts)

const unpaid = entry()
const paid = entry({ paidAt: 1, isNoticed: true, taken: ["paid"] })
const refunded = entry({ ...paid, isRefundRequested: true, isRefundAccepted: true, taken: ["paid", "refunded"] })

const bankBooks = (paidCents: number, returnedCents = 0): BankBooks => ({ isCharged: true, paidCents, returnedCents })
const makeAnswer = (status: number, error: string | null = null): StatusAnswer => ({ status, error })
const pending = makeAnswer(410, "cobranca-pendente")
const givenBack = makeAnswer(409, "cobranca-estornada")

type Case = readonly [what: string, entry: LedgerEntry, bank: BankBooks, said: StatusAnswer]

const requested = entry({ ...paid, isRefundRequested: true })
const onlyRefundedTaken = entry({ ...refunded, taken: ["refunded"] })
const notCharged = { ...bankBooks(0), isCharged: false }

const sound: ReadonlyArray<Case> = [
  ["unpaid and pending", unpaid, bankBooks(0), pending],
  ["unpaid and expired", unpaid, bankBooks(0), makeAnswer(410, "cobranca-expirada")],
  ["paid", paid, bankBooks(500), makeAnswer(200)],
  ["refunded", refunded, bankBooks(500, 500), givenBack],
  ["refunded before its paid event", onlyRefundedTaken, bankBooks(500, 500), givenBack],
  ["refunded after a request without an answer", requested, bankBooks(500, 500), givenBack],
  ["never acknowledged, and unknown to the host and the bank", entry({ isIssued: false }), notCharged, makeAnswer(404)],
]

const undelivered = entry({ ...paid, taken: [] })
const partlyDelivered = entry({ ...refunded, taken: ["paid"] })

const wrong: ReadonlyArray<readonly [...Case, sentence: string]> = [
  ["a charge that is gone", unpaid, bankBooks(0), makeAnswer(404, "cobranca-nao-encontrada"), "but is 404"],
  ["a charge that the bank doesn't have", unpaid, notCharged, pending, "no such charge"],
  ["a payment that the host doesn't show", paid, bankBooks(500), pending, "must be 200, but is 410"],
  ["a payment that the payer didn't make", unpaid, bankBooks(0), makeAnswer(200), "but is 200"],
  ["a payment of another amount", paid, bankBooks(400), makeAnswer(200), "was paid 400 instead of 500"],
  ["a payment without its event", undelivered, bankBooks(500), makeAnswer(200), "was paid, but no receiver"],
  ["a refund without its event", partlyDelivered, bankBooks(500, 500), givenBack, "was refunded, but no"],
  ["a refund that the bank never made", refunded, bankBooks(500), givenBack, "has returned 0 of 500"],
  ["a refund that was made twice", refunded, bankBooks(500, 1_000), givenBack, "More was returned"],
  ["no answer at all", paid, bankBooks(500), makeAnswer(0, "no answer"), "but is 0"],
]

it.each(sound)("accepts a charge: %s", (_, one, bank, answer) => {
  expect(judgeEntry(one, bank, answer)).toEqual([])
})

it.each(wrong)("finds a flaw: %s", (_, one, bank, answer, sentence) => {
  expect(judgeEntry(one, bank, answer).join("\n")).toContain(sentence)
})

describe("the ledger of events", () => {
  const ledger = () => {
    const books = new Ledger()
    books.add("a charge", company, 500).paidAt = 1
    return books
  }

  it("waits for the event of each payment until a receiver has taken it", () => {
    const known = ledger()
    expect(known.findAwaited().length).toBe(1)
    known.take("a charge", "paid")
    known.take("a charge", "paid")
    expect([known.findAwaited().length, known.violations]).toEqual([0, []])
  })

  it("finds an event of an unpaid charge, and `paid` after `refunded`", () => {
    const known = ledger()
    known.take("another charge", "paid")
    known.take("a charge", "refunded")
    known.take("a charge", "paid")
    expect(known.violations.length).toBe(2)
  })
})
