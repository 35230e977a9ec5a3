import type { Cents } from "@pixcharge/core/money"
import { aPaidCharge, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import {
  deferredCheckAt,
  firstChecks,
  nextFailedRefundCheckAt,
  nextLookUpAt,
  nextPaidCheckAt,
  nextPaymentCheckAt,
  nextRefundCheckAt,
  paymentChecksEndAt,
  repeatedPaymentCheckAt,
} from "../../src/model/charge/checkSchedule.ts"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const createdAt = Date.UTC(2026, 5, 3, 15)

/** The times of all checks of a charge, if each happens on time. */
const checkMoments = (watchUntil: number): ReadonlyArray<number> => {
  const moments = []
  let at = nextPaymentCheckAt({ createdAt, watchUntil }, createdAt)
  while (at !== undefined && moments.length < 100_000) {
    moments.push(at)
    at = nextPaymentCheckAt({ createdAt, watchUntil }, at)
  }
  return moments
}

describe("an unpaid charge", () => {
  it("is checked every 45 s at first, then at intervals of half its age", () => {
    const ages = checkMoments(createdAt + hour + day).map((at) => (at - createdAt) / second)
    expect(ages.slice(0, 6)).toEqual([45, 90, 135, 202.5, 303.75, 455.625])
  })

  it("is checked less and less often, at most an hour apart", () => {
    const moments = checkMoments(createdAt + 40 * day)
    const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? 0))
    // A check comes right after the last moment to pay, and one right after the watch.
    const expiry = moments.indexOf(createdAt + 39 * day + 61 * second)
    expect(expiry).toBeGreaterThan(0)
    const regular = gaps.slice(0, expiry - 1)
    for (const [index, gap] of regular.entries()) expect(gap).toBeGreaterThanOrEqual(regular[index - 1] ?? 0)
    expect(Math.max(...gaps)).toBe(hour)
  })

  it("is checked once more right after its watch", () => {
    for (const life of [minute, 600 * second + day, 30 * day]) {
      expect(checkMoments(createdAt + life).at(-1)).toBe(createdAt + life + second)
    }
    expect(nextPaymentCheckAt({ createdAt, watchUntil: createdAt }, createdAt)).toBeUndefined()
  })

  it("needs fewer than 200 checks in a week", () => {
    expect(checkMoments(createdAt + 600 * second)).toHaveLength(7)
    expect(checkMoments(createdAt + 7 * day).length).toBeLessThan(200)
  })

  it("always gets its next check in the future, even if clocks disagree", () => {
    fc.assert(
      fc.property(fc.integer({ min: -day, max: 60 * day }), fc.integer({ min: 1, max: 60 * day }), (age, life) => {
        const now = createdAt + age
        const at = nextPaymentCheckAt({ createdAt, watchUntil: createdAt + life }, now)
        if (now >= createdAt + life) expect(at).toBeUndefined()
        else expect(at).toBeGreaterThan(now)
      }),
    )
  })
})

describe("the look-up of an unpaid charge", () => {
  const lookUps = (life: number, publishesExpiry: boolean): ReadonlyArray<number> => {
    const watched = { createdAt, watchUntil: createdAt + life }
    const next = (now: number) => nextLookUpAt(watched, now, publishesExpiry)
    const ages = []
    for (let at = next(createdAt); at !== undefined; at = next(at)) ages.push(at - createdAt)
    return ages
  }

  const afterExpiry = 61 * second

  it("is due once after ten minutes to pay, and right after the watch", () => {
    for (const publishesExpiry of [true, false]) {
      expect(lookUps(10 * minute + day, publishesExpiry)).toEqual([11 * minute + second, 10 * minute + day + second])
      expect(lookUps(minute + day, publishesExpiry)).toEqual([minute + afterExpiry, minute + day + second])
    }
  })

  it("is due after eleven minutes, every two days, and right after the watch", () => {
    expect(lookUps(hour + day, false)).toEqual([11 * minute, hour + day + second])
    expect(lookUps(2 * day, false)).toEqual([11 * minute, 2 * day + second])
    expect(lookUps(9 * day, false)).toEqual([11 * minute, 2 * day, 4 * day, 6 * day, 8 * day, 9 * day + second])
  })

  it("is also due right after the last moment to pay, if expiries are published", () => {
    expect(lookUps(hour + day, true)).toEqual([11 * minute, hour + afterExpiry, hour + day + second])
    const lastDays = [6 * day, 8 * day + afterExpiry, 9 * day + second]
    expect(lookUps(9 * day, true)).toEqual([11 * minute, 2 * day, 4 * day, ...lastDays])
  })

  it("is due at most once more if expiries are published", () => {
    for (let days = 1; days < 60; days += 0.25) {
      expect(lookUps(days * day, true).length).toBeLessThanOrEqual(lookUps(days * day, false).length + 1)
    }
  })

  it("is always in the future, even if clocks disagree", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -day, max: 60 * day }),
        fc.integer({ min: 1, max: 60 * day }),
        fc.boolean(),
        (age, life, isPublished) => {
          const now = createdAt + age
          const at = nextLookUpAt({ createdAt, watchUntil: createdAt + life }, now, isPublished)
          if (age >= life) expect(at).toBeUndefined()
          else expect(at).toBeGreaterThan(now)
        },
      ),
    )
  })
})

describe("an unanswered refund", () => {
  it("is looked up after 2 s, then at intervals of half its age, at most an hour apart", () => {
    const requestedAt = createdAt
    expect(nextRefundCheckAt({ requestedAt }, createdAt)).toBe(createdAt + 2 * second)
    expect(nextRefundCheckAt({ requestedAt }, createdAt + 10 * minute)).toBe(createdAt + 15 * minute)
    expect(nextRefundCheckAt({ requestedAt }, createdAt + 30 * day)).toBe(createdAt + 30 * day + hour)
  })

  it("is looked up for ever", () => {
    fc.assert(
      fc.property(fc.integer({ min: -day, max: 400 * day }), (age) => {
        const gap = nextRefundCheckAt({ requestedAt: createdAt }, createdAt + age) - (createdAt + age)
        expect(gap).toBeGreaterThanOrEqual(2 * second)
        expect(gap).toBeLessThanOrEqual(hour)
      }),
    )
  })
})

describe("a refused refund with an unanswered call", () => {
  it("is looked up like an unanswered refund for two days", () => {
    const refund = { requestedAt: createdAt }
    for (const age of [-day, 0, 10 * minute, day, 2 * day - 1]) {
      expect(nextFailedRefundCheckAt(refund, createdAt + age)).toBe(nextRefundCheckAt(refund, createdAt + age))
    }
    expect(nextFailedRefundCheckAt(refund, createdAt + 2 * day)).toBeUndefined()
  })
})

describe("a paid charge", () => {
  const paid = aPaidCharge(aPendingCharge())
  const failed = {
    id: "R1",
    attempt: 1,
    requestedAt: createdAt,
    unanswered: [createdAt],
    rejection: "the id is in use",
  }
  const later = { ...failed, id: "R2", requestedAt: createdAt + hour }
  const part = { key: "k", amountCents: 1 as Cents, requestedAt: later.requestedAt, refund: later, rejection: "no" }

  it("isn't checked unless a failed refund has an unanswered call", () => {
    const { unanswered: _, ...answered } = failed
    expect(nextPaidCheckAt(paid, createdAt)).toBeUndefined()
    expect(nextPaidCheckAt({ ...paid, failedRefund: answered }, createdAt)).toBeUndefined()
  })

  it("is checked for two days after a failed refund with an unanswered call", () => {
    const charge = { ...paid, failedRefund: failed, partialRefunds: [part] }
    for (const age of [2 * hour, 2 * day, 2 * day + hour - 1]) {
      expect(nextPaidCheckAt(charge, createdAt + age)).toBe(nextFailedRefundCheckAt(later, createdAt + age))
    }
    expect(nextPaidCheckAt({ ...paid, failedRefund: failed }, createdAt + 2 * day)).toBeUndefined()
    expect(nextPaidCheckAt(charge, createdAt + 2 * day + hour)).toBeUndefined()
  })
})

describe("a check that the processor didn't answer", () => {
  it("is repeated after a 32nd of its age, from 2 s to an hour", () => {
    const gapAt = (age: number) => deferredCheckAt(createdAt, createdAt + age) - (createdAt + age)
    expect([-day, 0, 10 * minute, 32 * minute, 8 * hour, 400 * day].map(gapAt)).toEqual([
      2 * second,
      2 * second,
      18_750,
      minute,
      15 * minute,
      hour,
    ])
  })
})

describe("a failed check of an unpaid charge", () => {
  const terms = { createdAt, watchUntil: createdAt + day }

  it("is repeated at the usual interval during the watch", () => {
    for (const age of [0, minute, hour, day - 1]) {
      expect(repeatedPaymentCheckAt(terms, createdAt + age)).toBe(nextPaymentCheckAt(terms, createdAt + age))
    }
  })

  it("is repeated for 30 days after the watch", () => {
    expect(paymentChecksEndAt(terms)).toBe(createdAt + 31 * day)
  })

  it("is repeated less and less often after the watch, at most a day apart", () => {
    const gapAt = (late: number) => repeatedPaymentCheckAt(terms, terms.watchUntil + late) - terms.watchUntil - late
    expect([0, 90 * second, 2 * minute, 2 * hour, 2 * day, 400 * day].map(gapAt)).toEqual([
      45 * second,
      45 * second,
      minute,
      hour,
      day,
      day,
    ])
  })
})

it("every check falls on a whole millisecond", () => {
  const now = createdAt + 600_001
  const watched = { createdAt, watchUntil: createdAt + hour + day }
  expect(nextPaymentCheckAt(watched, now)).toBe(createdAt + 900_002)
  expect(nextRefundCheckAt({ requestedAt: createdAt }, now)).toBe(createdAt + 900_002)
  expect(deferredCheckAt(createdAt, now)).toBe(createdAt + 618_751)
  expect(repeatedPaymentCheckAt({ createdAt, watchUntil: createdAt }, now)).toBe(createdAt + 900_002)
})

describe("a new charge", () => {
  it.each([
    ["is checked after 45 s, and looked up after eleven minutes if sweeps find payments", 0, true, 45_000, 661_000],
    ["is checked after 45 s without sweeps", 60_000, false, 105_000, undefined],
    ["is looked up immediately if the processor had it for over a minute", 60_001, true, 60_001, undefined],
  ])("%s", (_, ageMs, isSwept, checkedAfterMs, lookedUpAfterMs) => {
    expect(
      firstChecks({ createdAt, watchUntil: createdAt + 600_000 + day }, { now: createdAt + ageMs, isSwept }),
    ).toEqual({
      checkAt: createdAt + checkedAfterMs,
      ...(lookedUpAfterMs !== undefined && { lookUpAt: createdAt + lookedUpAfterMs }),
    })
  })
})
