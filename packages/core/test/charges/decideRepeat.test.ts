import type { LocalDate } from "@pixcharge/core/calendar"
import {
  type Charge,
  type ChargeRequest,
  type IssuedCharge,
  payableForSeconds,
  type RepeatRefusal,
} from "@pixcharge/core/charges"
import { decideRepeat } from "../../src/model/charge/Issue.ts"
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
} from "@pixcharge/adapter-tests/fixtures"
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
const repeatedRequest = (charge: Charge): ChargeRequest => {
  const {
    id,
    amountCents,
    dueDate: day,
    payer: who,
    messageToPayer,
    additionalInfo,
    reference,
    metadata,
    requested,
  } = charge
  const seconds = payableForSeconds(charge)
  return {
    id,
    amountCents,
    ...(day && { dueDate: day }),
    ...(who && { payer: who }),
    ...(seconds !== undefined && { payableForSeconds: seconds }),
    ...(messageToPayer !== undefined && { messageToPayer }),
    ...(additionalInfo && { additionalInfo }),
    ...(reference !== undefined && { reference }),
    ...(metadata && { metadata }),
    ...(requested && { requested }),
  }
}

const answer = (result: Result.Result<IssuedCharge, RepeatRefusal>): unknown =>
  Result.isSuccess(result) ? result.success : result.failure._tag

describe("a repeated request", () => {
  it("gets its first answer until the charge's last payable millisecond", () => {
    expect(answer(decideRepeat(pending, repeatedRequest(pending), pending.payableUntil))).toBe(pending)
    expect(answer(decideRepeat(pending, repeatedRequest(pending), pending.payableUntil + 1))).toBe("ChargeExpired")
  })

  it("gets its first answer at any time once the charge is paid", () => {
    expect(answer(decideRepeat(paid, repeatedRequest(paid), pending.watchUntil + 1e12))).toBe(paid)
  })

  it("gets an error instead of a code that can't be paid any more", () => {
    expect(answer(decideRepeat(aCancelledCharge(pending), repeatedRequest(pending), now))).toBe("ChargeCancelled")
    expect(answer(decideRepeat(refunding, repeatedRequest(pending), now))).toBe("ChargeRefunding")
    expect(answer(decideRepeat(aRefundedCharge(refunding), repeatedRequest(pending), now))).toBe("ChargeRefunded")
  })

  it("is recognised by its meaning after the payer's erasure", () => {
    const { payer: _, ...rest } = pending
    const erased = { ...rest, payerErasedAt: now }
    expect(answer(decideRepeat(erased, repeatedRequest(pending), now))).toBe(erased)
    expect(answer(decideRepeat(erased, { ...repeatedRequest(pending), amountCents: cents(1) }, now))).toBe(
      "ChargeConflict",
    )
  })
})

describe("a different request under the same id", () => {
  const { payer: _, ...withoutPayer } = repeatedRequest(pending)
  const { dueDate: __, ...immediate } = repeatedRequest(pending)
  const others: ReadonlyArray<readonly [string, ChargeRequest]> = [
    ["other cents", { ...repeatedRequest(pending), amountCents: cents(1991) }],
    ["another due date", { ...repeatedRequest(pending), dueDate: "2026-07-02" as LocalDate }],
    ["no due date", immediate],
    ["another name", { ...repeatedRequest(pending), payer: { ...payer, name: "Ana Sousa" } }],
    ["another tax id", { ...repeatedRequest(pending), payer: { ...payer, taxId: cpf("11144477735") } }],
    ["no payer", withoutPayer],
  ]

  it.each(others)("conflicts if it has %s", (_title, other) => {
    for (const charge of [pending, paid, refunding, aCancelledCharge(pending)]) {
      expect(answer(decideRepeat(charge, other, now))).toBe("ChargeConflict")
    }
  })

  it("conflicts even if the charge has expired", () => {
    expect(answer(decideRepeat(pending, immediate, pending.watchUntil + 1))).toBe("ChargeConflict")
  })
})

describe("the terms that only a host can set", () => {
  const immediate = aPendingCharge()
  const plain: ChargeRequest = { id: immediate.id, amountCents: immediate.amountCents }
  const hostTerms = {
    payableForSeconds: 3600,
    messageToPayer: "Pedido 7",
    additionalInfo: [
      { name: "Mesa", value: "12" },
      { name: "Garçom", value: "Zé" },
    ],
    reference: "pedido-7",
    metadata: { mesa: "12", garcom: "Zé" },
  }
  const chargeWithTerms = aPendingCharge({
    id: immediate.id,
    payableUntil: immediate.createdAt + 3_600_000,
    messageToPayer: hostTerms.messageToPayer,
    additionalInfo: hostTerms.additionalInfo,
    reference: hostTerms.reference,
    metadata: hostTerms.metadata,
  })

  it("are compared when a host repeats its request", () => {
    expect(answer(decideRepeat(chargeWithTerms, { ...plain, ...hostTerms }, now))).toBe(chargeWithTerms)
    const reordered = { ...hostTerms, metadata: { garcom: "Zé", mesa: "12" } }
    expect(answer(decideRepeat(chargeWithTerms, { ...plain, ...reordered }, now))).toBe(chargeWithTerms)
    expect(answer(decideRepeat(immediate, plain, now))).toBe(immediate)
    expect(answer(decideRepeat(immediate, { ...plain, payableForSeconds: 600 }, now))).toBe(immediate)
  })

  const { payableForSeconds: _seconds, ...withoutSeconds } = hostTerms
  const { messageToPayer: _message, ...withoutMessage } = hostTerms
  const { additionalInfo: _info, ...withoutInfo } = hostTerms
  const { reference: _reference, ...withoutReference } = hostTerms
  const { metadata: _metadata, ...withoutMetadata } = hostTerms
  const [line, ...lines] = hostTerms.additionalInfo
  it.each<readonly [string, Partial<ChargeRequest>]>([
    ["another validity", { ...hostTerms, payableForSeconds: 3601 }],
    ["the default validity", withoutSeconds],
    ["another message", { ...hostTerms, messageToPayer: "Pedido 8" }],
    ["no message", withoutMessage],
    ["another line", { ...hostTerms, additionalInfo: [{ name: "Mesa", value: "13" }, ...lines] }],
    ["another name of a line", { ...hostTerms, additionalInfo: [{ name: "mesa", value: "12" }, ...lines] }],
    ["lines in another order", { ...hostTerms, additionalInfo: hostTerms.additionalInfo.toReversed() }],
    ["one line less", { ...hostTerms, additionalInfo: lines }],
    ["one line more", { ...hostTerms, additionalInfo: [...hostTerms.additionalInfo, ...(line ? [line] : [])] }],
    ["no lines", withoutInfo],
    ["another reference", { ...hostTerms, reference: "pedido-8" }],
    ["no reference", withoutReference],
    ["another text of metadata", { ...hostTerms, metadata: { mesa: "13", garcom: "Zé" } }],
    ["one text of metadata less", { ...hostTerms, metadata: { mesa: "12" } }],
    ["one text of metadata more", { ...hostTerms, metadata: { ...hostTerms.metadata, hora: "12" } }],
    ["no metadata", withoutMetadata],
  ])("conflict if a repeat has %s", (_title, other) => {
    expect(answer(decideRepeat(chargeWithTerms, { ...plain, ...other }, now))).toBe("ChargeConflict")
    expect(answer(decideRepeat(immediate, { ...plain, ...other }, now))).toBe("ChargeConflict")
  })

  it("aren't compared for a repeat over the HTTP contract", () => {
    const request: ChargeRequest = { ...plain, isOfContract: true }
    expect(answer(decideRepeat(chargeWithTerms, request, now))).toBe(chargeWithTerms)
    expect(answer(decideRepeat(chargeWithTerms, { ...request, amountCents: cents(1) }, now))).toBe("ChargeConflict")
    expect(answer(decideRepeat(chargeWithTerms, { ...request, dueDate }, now))).toBe("ChargeConflict")
    expect(answer(decideRepeat(chargeWithTerms, { ...request, payer }, now))).toBe("ChargeConflict")
  })

  it("aren't compared after the payer's erasure if they are texts", () => {
    const { messageToPayer: _m, additionalInfo: _i, reference: _r, metadata: _d, ...rest } = chargeWithTerms
    const erased = { ...rest, payerErasedAt: now }
    expect(answer(decideRepeat(erased, { ...plain, ...hostTerms, payer }, now))).toBe(erased)
    const { reference, metadata } = hostTerms
    const kept = { ...erased, reference, metadata }
    expect(answer(decideRepeat(kept, { ...plain, ...hostTerms, payer }, now))).toBe(kept)
    for (const other of [{ reference: "pedido-8" }, { metadata: { mesa: "13" } }]) {
      expect(answer(decideRepeat(erased, { ...plain, ...hostTerms, payer, ...other }, now))).toBe(erased)
      expect(answer(decideRepeat(kept, { ...plain, ...hostTerms, payer, ...other }, now))).toBe("ChargeConflict")
    }
    expect(answer(decideRepeat(erased, { ...plain, ...hostTerms, payableForSeconds: 60 }, now))).toBe("ChargeConflict")
  })
})

describe("every charge", () => {
  it("is the answer to its own request, or the error names its state", () => {
    const expectedTags: Record<Charge["_tag"], unknown> = {
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
        expect(answered).toEqual(isAlive ? charge : expectedTags[charge._tag])
      }),
    )
  })
})
