import type { BegunPartialRefund } from "@pixcharge/core/internal"
import type { LedgerReturn } from "@pixcharge/simulated-bank"
import { describe, expect, it } from "vitest"
import { Answers } from "../../judge/Answers.ts"
import type { Evidence } from "../../judge/Evidence.ts"
import { issuer, openAccount } from "./accounts.ts"

const [endToEndId, family] = ["E1", `${"0a".repeat(15)}P`]
const first = { id: `${family}1`, amountCents: 300 }
const second = { id: `${family}2`, amountCents: 300 }

/** The rules that an answer breaks, if the bank has this payment. */
const findBroken = (
  payment: object,
  listsAfterMs: number,
  judge: (answers: Answers) => void,
): ReadonlyArray<string> => {
  const found: Array<string> = []
  const paid = { issuer, endToEndId, pixKey: "own", amountCents: 100, returns: [], ...payment }
  const ledger = { payments: new Map([[endToEndId, paid]]) }
  const evidence = { ledger, accounts: openAccount(), listsAfterMs, books: { charge: () => undefined } }
  judge(new Answers(evidence as unknown as Evidence, { execute: () => undefined }, (rule) => void found.push(rule)))
  return found
}

/** Judges the answer about the part `a` of 300 cents. The books know its first attempt; `inBooks` returned it. */
const judgePart = (
  inBooks: typeof first | undefined,
  atBank: ReadonlyArray<typeof first & Pick<LedgerReturn, "status">>,
  [key, cents]: readonly [string, number] = ["a", 300],
) =>
  findBroken({ returns: atBank }, 0, (answers) => {
    const returns = inBooks === undefined ? [] : [inBooks]
    const charge = { _tag: "Refunded", id: "c", txid: "c", payment: { endToEndId }, returns }
    const partialRefund = { key: "a", amountCents: 300, refund: { id: first.id, attempt: 1 } }
    answers.part({ charge, partialRefund } as unknown as BegunPartialRefund, key, cents)
  })

describe("a part reported as returned", () => {
  it("is accepted by its first attempt, and by a later one, which restored books have forgotten", () => {
    expect(judgePart(first, [{ ...first, status: "returned" }])).toEqual([])
    const later = [{ ...first, status: "rejected" } as const, { ...second, status: "returned" } as const]
    expect(judgePart(second, later)).toEqual([])
  })

  it.each([
    ["has no return", []],
    ["has refused it", [{ ...first, status: "rejected" }]],
    ["has returned other cents under its id", [{ ...first, amountCents: 299, status: "returned" }]],
    ["has returned its cents under another key", [{ ...first, id: `${"0b".repeat(15)}P1`, status: "returned" }]],
  ] as const)("is reported if the bank %s", (_, atBank) => {
    expect(judgePart(first, atBank)).toEqual(["onceForEachKey"])
  })
})

it("accepts a part under way without a return", () => {
  expect(judgePart(undefined, [])).toEqual([])
})

it.each([
  ["key", "b", 300],
  ["amount", "a", 299],
] as const)("reports a part that was requested with another %s", (_, key, cents) => {
  expect(judgePart(undefined, [], [key, cents])).toEqual(["onceForEachKey"])
})

it.each([
  ["within a bank clock's accuracy", 10_000, 0, []],
  ["within the bank's listing delay", 599_000, 600_000, []],
  ["earlier than a bank clock's accuracy", 15_000, 0, ["comparedMeansRecorded"]],
  ["earlier than the bank's listing delay", 601_000, 600_000, ["comparedMeansRecorded"]],
])("judges a payment that a comparison until now lacks, paid %s", (_, agoMs, listsAfterMs, broken) => {
  const until = 1_000_000
  const empty = { rows: [], differences: 0, matches: 0, unreadable: 0, others: [] }
  const judged = findBroken({ paidAt: until - agoMs }, listsAfterMs, (answers) =>
    answers.endComparison(empty, issuer, { from: 0, until }),
  )
  expect(judged).toEqual(broken)
})
