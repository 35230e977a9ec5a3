import type { BegunPartialRefund } from "@pixcharge/core/internal"
import type { Ledger, LedgerReturn } from "@pixcharge/simulated-bank"
import { describe, expect, it } from "vitest"
import { Accounts } from "../../judge/Accounts.ts"
import { Answers } from "../../judge/Answers.ts"

const [endToEndId, family] = ["E1", `${"0a".repeat(15)}P`]
const first = { id: `${family}1`, amountCents: 300 }
const second = { id: `${family}2`, amountCents: 300 }

/** Violations of the answer about the part `a` of 300 cents. The books know its first attempt; `inBooks` returned it. */
const findViolations = (
  inBooks: typeof first | undefined,
  atBank: ReadonlyArray<typeof first & Pick<LedgerReturn, "status">>,
): ReadonlyArray<string> => {
  const found: Array<string> = []
  const answers = new Answers({
    ledger: { payments: new Map([[endToEndId, { returns: atBank }]]) } as unknown as Ledger,
    accounts: new Accounts([], false),
    listsAfterMs: 0,
    report: (rule) => void found.push(rule),
    mustBeStored: { charge: () => undefined, exception: () => undefined },
  })
  const charge = {
    _tag: "Refunded",
    txid: "c",
    payment: { endToEndId },
    returns: inBooks === undefined ? [] : [inBooks],
  }
  const partialRefund = { key: "a", amountCents: 300, refund: { id: first.id, attempt: 1 } }
  answers.part({ charge, partialRefund } as unknown as BegunPartialRefund, "a", 300)
  return found
}

describe("a part reported as returned", () => {
  it.each([
    ["by its first attempt", first, [{ ...first, status: "returned" }]],
    [
      "by a later attempt, which restored books have forgotten",
      second,
      [
        { ...first, status: "rejected" },
        { ...second, status: "returned" },
      ],
    ],
  ] as const)("is accepted, %s", (_, inBooks, atBank) => {
    expect(findViolations(inBooks, atBank)).toEqual([])
  })

  it.each([
    ["has no return", []],
    ["has refused it", [{ ...first, status: "rejected" }]],
    ["has returned other cents under its id", [{ ...first, amountCents: 299, status: "returned" }]],
    ["has returned its cents under another key", [{ ...first, id: `${"0b".repeat(15)}P1`, status: "returned" }]],
  ] as const)("is reported if the bank %s", (_, atBank) => {
    expect(findViolations(first, atBank)).toEqual(["onceForEachKey"])
  })
})

it("accepts a part under way without a return", () => {
  expect(findViolations(undefined, [])).toEqual([])
})
