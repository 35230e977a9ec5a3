import type { LocalDate } from "@pixcharge/core/calendar"
import type { Charge, ChargeRequest, IssuedCharge, RepeatRefusal } from "@pixcharge/core/charge"
import { decideRepeat } from "../../src/charge/decideRepeat.ts"
import {
  aCancelledCharge,
  aPaidCharge,
  aPendingCharge,
  arbitrary,
  aRefundedCharge,
  aRefundingCharge,
  cents,
  cpf,
  fixtureNow,
} from "@pixcharge/testkit/fixtures"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const now = fixtureNow + 60_000
const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
const dueDate = "2026-07-01" as LocalDate
const pending = aPendingCharge({ payer, dueDate })
const paid = aPaidCharge(pending)
const refunding = aRefundingCharge(paid)

/** The request that made a charge. */
const repeatedRequest = ({ id, amountCents, dueDate: day, payer: who }: Charge): ChargeRequest => ({
  id,
  amountCents,
  ...(day && { dueDate: day }),
  ...(who && { payer: who }),
})

const answer = (result: Result.Result<IssuedCharge, RepeatRefusal>): unknown =>
  Result.isSuccess(result) ? result.success : result.failure._tag

describe("the same request again", () => {
  it("finds its first answer while the charge is payable, to the last millisecond", () => {
    expect(answer(decideRepeat(pending, repeatedRequest(pending), pending.payableUntil))).toBe(pending)
    expect(answer(decideRepeat(pending, repeatedRequest(pending), pending.payableUntil + 1))).toBe("ChargeExpired")
  })

  it("finds its first answer once the charge is paid, however late it asks", () => {
    expect(answer(decideRepeat(paid, repeatedRequest(paid), pending.watchUntil + 1e12))).toBe(paid)
  })

  it("never gets a dead code as if it were new", () => {
    expect(answer(decideRepeat(aCancelledCharge(pending), repeatedRequest(pending), now))).toBe("ChargeCancelled")
    expect(answer(decideRepeat(refunding, repeatedRequest(pending), now))).toBe("ChargeRefunding")
    expect(answer(decideRepeat(aRefundedCharge(refunding), repeatedRequest(pending), now))).toBe("ChargeRefunded")
  })

  it("is known by its meaning after the payer was erased", () => {
    const { payer: _, ...rest } = pending
    const erased = { ...rest, payerErasedAt: now }
    expect(answer(decideRepeat(erased, repeatedRequest(pending), now))).toBe(erased)
    expect(answer(decideRepeat(erased, { ...repeatedRequest(pending), amountCents: cents(1) }, now))).toBe(
      "ChargeConflict",
    )
  })
})

describe("a request of another meaning under the same id", () => {
  const { payer: _, ...withoutPayer } = repeatedRequest(pending)
  const { dueDate: __, ...immediate } = repeatedRequest(pending)
  const others: ReadonlyArray<readonly [string, ChargeRequest]> = [
    ["other cents", { ...repeatedRequest(pending), amountCents: cents(1991) }],
    ["another due date", { ...repeatedRequest(pending), dueDate: "2026-07-02" as LocalDate }],
    ["no due date", immediate],
    ["another name", { ...repeatedRequest(pending), payer: { ...payer, name: "Ana Sousa" } }],
    ["another document", { ...repeatedRequest(pending), payer: { ...payer, taxId: cpf("11144477735") } }],
    ["no payer", withoutPayer],
  ]

  it.each(others)("conflicts: %s", (_title, other) => {
    for (const charge of [pending, paid, refunding, aCancelledCharge(pending)]) {
      expect(answer(decideRepeat(charge, other, now))).toBe("ChargeConflict")
    }
  })

  it("conflicts rather than expires", () => {
    expect(answer(decideRepeat(pending, immediate, pending.watchUntil + 1))).toBe("ChargeConflict")
  })
})

describe("every charge", () => {
  it("is found again by its own request, or says in one word why not", () => {
    const words: Record<Charge["_tag"], unknown> = {
      Pending: "ChargeExpired",
      Paid: "",
      Refunding: "ChargeRefunding",
      Refunded: "ChargeRefunded",
      Cancelled: "ChargeCancelled",
    }
    fc.assert(
      fc.property(arbitrary.charge, fc.integer({ min: -1e6, max: 1e9 }), (charge, sinceExpiry) => {
        const isAlive = charge._tag === "Paid" || (charge._tag === "Pending" && sinceExpiry <= 0)
        const answered = answer(decideRepeat(charge, repeatedRequest(charge), charge.payableUntil + sinceExpiry))
        expect(answered).toEqual(isAlive ? charge : words[charge._tag])
      }),
    )
  })
})
