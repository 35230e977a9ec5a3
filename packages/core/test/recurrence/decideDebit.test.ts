import {
  type ChargeCycle,
  type Debit,
  type DebitAttempt,
  type DebitNews,
  type DebitView,
  decideDebit,
  findRetryDay,
  findRetryObstacle,
  isLiveAttempt,
  newDebit,
} from "@pixcharge/core/recurrence"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { aCycle, anAttempt, day, inBrasilia, plusDays } from "./recurring.ts"

const active = (...attempts: ReadonlyArray<DebitAttempt>): DebitView => ({ status: "active", attempts })
const ended = (status: DebitView["status"], ...attempts: ReadonlyArray<DebitAttempt>): DebitView => ({
  status,
  attempts,
})

const before = inBrasilia("2026-12-01", 10)
const noon = inBrasilia("2026-12-10", 12)
const nine = inBrasilia("2026-12-10", 21)

/** Applies these views. Returns the debit and its news. */
const play = (
  views: ReadonlyArray<readonly [now: number, view: DebitView]>,
  from: Debit = newDebit,
  cycle: ChargeCycle = aCycle,
) => {
  let debit = from
  const news: Array<DebitNews> = []
  for (const [now, view] of views) {
    const decided = decideDebit(cycle, debit, view, now)
    debit = decided.next ?? debit
    if (decided.news !== undefined) news.push(decided.news)
  }
  return { debit, news }
}

const failedOn10: Debit = play([[nine, active(anAttempt("expired"))]]).debit

describe("decideDebit", () => {
  it("reports a debit once the payer's bank has scheduled it", () => {
    const requested = active(anAttempt("requested"))
    const scheduled = anAttempt("scheduled", { endToEndId: "E1" })
    const { debit, news } = play([
      [before, requested],
      [before, active(scheduled)],
      [before, active(scheduled)],
    ])
    expect(play([[before, requested]])).toMatchObject({ debit: { status: "registered" }, news: [] })
    expect(debit).toEqual({ status: "scheduled", attempts: [scheduled], retries: [] })
    expect(news).toEqual([{ kind: "payment-scheduled", attempt: scheduled }])
  })

  it("reports an early rejection immediately, with the bank's code", () => {
    const rejected = active(anAttempt("rejected", { code: "AM02" }))
    expect(play([[before, rejected]]).news).toEqual([
      {
        kind: "payment-failed",
        reason: "rejected",
        on: "2026-12-10",
        code: "AM02",
        mayRetryUntil: inBrasilia("2026-12-16", 22),
      },
    ])
  })

  it.each(["rejected", "expired", "cancelled"] as const)(
    "reports a debit with the status %s on its day at 21:00, after the banks' last attempt",
    (status) => {
      const view = active(anAttempt(status))
      expect(play([[noon, view]]).news).toEqual([])
      expect(play([[nine - 1, view]]).news).toEqual([])
      expect(play([[nine, view]]).news).toMatchObject([
        { kind: "payment-failed", reason: status === "rejected" ? "rejected" : "unpaid", on: "2026-12-10" },
      ])
    },
  )

  it("reports no failure while a debit order is under way, in any sequence of the bank's list", () => {
    const attempts = [anAttempt("rejected"), anAttempt("scheduled", { kind: "resent", endToEndId: "E2" })]
    for (const shown of [attempts, attempts.toReversed()]) {
      expect(play([[nine + 1, active(...shown)]]).news).toMatchObject([{ kind: "payment-scheduled" }])
    }
    expect(play([[nine, active(anAttempt("expired"), anAttempt("unknown", { kind: "resent" }))]]).news).toEqual([])
    expect(play([[nine, active(anAttempt("expired"), anAttempt("paid", { kind: "resent" }))]]).news).toEqual([])
  })

  it("reports the last attempt, in any order of the bank's list", () => {
    const attempts = [
      anAttempt("expired", { code: "A" }),
      anAttempt("expired", { kind: "retry", on: day("2026-12-12"), code: "B" }),
    ]
    for (const shown of [attempts, attempts.toReversed()]) {
      const { news } = play([[inBrasilia("2026-12-12", 21), active(...shown)]])
      expect(news).toMatchObject([{ kind: "payment-failed", on: "2026-12-12", code: "B" }])
    }
  })

  it("ignores older views", () => {
    const retry = (status: DebitAttempt["status"]) => anAttempt(status, { kind: "retry", on: day("2026-12-12") })
    const late = inBrasilia("2026-12-12", 21)
    const views: ReadonlyArray<DebitView> = [
      active(anAttempt("requested")),
      active(anAttempt("scheduled")),
      active(anAttempt("expired")),
      active(anAttempt("expired"), retry("requested")),
      active(anAttempt("expired"), retry("scheduled")),
      active(anAttempt("expired"), retry("expired")),
    ]
    const inOrder = play(views.map((view) => [late, view] as const))
    expect(inOrder.news.map(({ kind }) => kind)).toEqual([
      "payment-scheduled",
      "payment-failed",
      "payment-scheduled",
      "payment-failed",
    ])
    const again = play(
      views.toReversed().map((view) => [late, view] as const),
      inOrder.debit,
    )
    expect(again).toEqual({ debit: inOrder.debit, news: [] })
  })

  it("reports again after a second order of the same day was scheduled and failed", () => {
    const rejected = anAttempt("rejected", { endToEndId: "E1" })
    const again = (status: DebitAttempt["status"]) => anAttempt(status, { endToEndId: "E2" })
    const { news } = play([
      [before, active(rejected)],
      [before, active(rejected, again("scheduled"))],
      [nine, active(rejected, again("expired"))],
    ])
    expect(news.map(({ kind }) => kind)).toEqual(["payment-failed", "payment-scheduled", "payment-failed"])
  })

  it("distinguishes two orders of one day by their ids", () => {
    const rejected = anAttempt("rejected", { endToEndId: "E1" })
    const scheduled = anAttempt("scheduled", { endToEndId: "E2" })
    for (const shown of [[scheduled], [scheduled, rejected], [rejected, scheduled]]) {
      const { debit, news } = play([
        [before, active(rejected)],
        [before, active(...shown)],
      ])
      expect(debit.attempts.map(({ endToEndId }) => endToEndId).toSorted()).toEqual(["E1", "E2"])
      expect(news.at(-1)).toEqual({ kind: "payment-scheduled", attempt: scheduled })
    }
  })

  it("reports a resent order, and a retry that a view shows alone", () => {
    const [first, resent] = [anAttempt("expired", { code: "A" }), anAttempt("expired", { kind: "resent", code: "B" })]
    for (const shown of [
      [first, resent],
      [resent, first],
    ]) {
      expect(play([[nine, active(...shown)]]).news).toMatchObject([{ on: "2026-12-10", code: "B" }])
    }
    const retry = anAttempt("expired", { kind: "retry", on: day("2026-12-12") })
    const { debit, news } = play([[inBrasilia("2026-12-12", 21), active(retry)]], failedOn10)
    expect(news).toMatchObject([{ kind: "payment-failed", on: "2026-12-12" }])
    expect(debit.attempts.map(({ on }) => on)).toEqual(["2026-12-10", "2026-12-12"])
  })

  it("keeps an order missing in a view until its day is over", () => {
    const { debit } = play([[before, active(anAttempt("scheduled"))]])
    expect(play([[nine - 1, active()]], debit).debit.attempts).toEqual([anAttempt("scheduled")])
    expect(play([[nine, active()]], debit).debit.attempts).toEqual([])
  })

  it("changes nothing after a view without news", () => {
    const scheduled = active(anAttempt("scheduled", { endToEndId: "E1", code: "X" }))
    const { debit } = play([[before, scheduled]])
    const stored: Debit = JSON.parse(JSON.stringify(debit), (_, value: unknown) =>
      // Databases return fields in their own order.
      Object.prototype.toString.call(value) === "[object Object]"
        ? Object.fromEntries(Object.entries(value as object).toReversed())
        : value,
    )
    expect(decideDebit(aCycle, stored, scheduled, before)).toEqual({})
    expect(decideDebit(aCycle, stored, active(anAttempt("scheduled")), before)).toEqual({})
    expect(decideDebit(aCycle, stored, ended("unknown"), before)).toEqual({})
    expect(decideDebit(aCycle, stored, ended("absent"), before)).toEqual({})
  })

  it("adds an order's id once the bank shows it", () => {
    const { debit } = play([
      [before, active(anAttempt("scheduled"))],
      [before, active(anAttempt("scheduled", { endToEndId: "E1" }))],
    ])
    expect(debit.attempts).toEqual([anAttempt("scheduled", { endToEndId: "E1" })])
  })

  it("records a completed debit without news", () => {
    const { debit, news } = play([
      [before, active(anAttempt("scheduled"))],
      [nine, ended("completed", anAttempt("paid"))],
    ])
    expect(debit.attempts).toEqual([anAttempt("paid")])
    expect(news.length).toBe(1)
  })

  it("cancels a debit that the bank has cancelled", () => {
    const view = ended("cancelled", anAttempt("cancelled"))
    expect(decideDebit(aCycle, newDebit, view, before)).toEqual({
      isCancelled: true,
      next: { ...newDebit, attempts: view.attempts },
    })
  })
})

describe("the bank's final status of a debit", () => {
  it.each([
    ["rejected", "rejected"],
    ["expired", "unpaid"],
  ] as const)("keeps the final status %s, and reports it as %s", (status, reason) => {
    const view: DebitView = { ...ended(status, anAttempt("rejected")), code: "AC05" }
    const { debit, news } = play([
      [before, view],
      [before, view],
    ])
    expect(news).toEqual([{ kind: "payment-failed", reason, on: "2026-12-10", code: "AC05" }])
    expect(debit).toMatchObject({ status: reason, failure: { on: "2026-12-10", code: "AC05" } })
    expect(decideDebit(aCycle, debit, active(anAttempt("scheduled", { on: day("2026-12-12") })), nine)).toEqual({})
  })

  it("doesn't report a final status after the attempt's failure", () => {
    const { debit, news } = play([[nine, ended("expired", anAttempt("expired"))]], failedOn10)
    expect([debit.status, news]).toEqual(["unpaid", []])
  })

  it("dates a final status without an attempt by the day of settlement", () => {
    expect(play([[nine, ended("expired")]]).news).toEqual([
      { kind: "payment-failed", reason: "unpaid", on: "2026-12-10" },
    ])
  })

  it("ignores a final status while an order can still pay", () => {
    const view = ended("expired", anAttempt("scheduled"))
    expect(play([[noon, view]])).toMatchObject({
      debit: { status: "scheduled" },
      news: [{ kind: "payment-scheduled" }],
    })
    expect(play([[nine, view]])).toMatchObject({ debit: { status: "unpaid" }, news: [{ kind: "payment-failed" }] })
    expect(play([[nine, ended("expired", anAttempt("paid"))]]).news).toEqual([])
  })
})

describe("findRetryObstacle", () => {
  const findOn = (debit: Debit, now: number, on?: string, cycle = aCycle) =>
    findRetryObstacle(cycle, debit, now, on === undefined ? undefined : day(on))

  it("allows a retry on a day after the failure, if requested by 22:00 of the day before it", () => {
    expect(findRetryDay(aCycle, failedOn10, nine)).toBe("2026-12-11")
    expect(findOn(failedOn10, inBrasilia("2026-12-10", 22), "2026-12-11")).toBe("wrongDay")
    expect(findRetryDay(aCycle, failedOn10, inBrasilia("2026-12-10", 22))).toBe("2026-12-12")
    expect(["2026-12-10", "2026-12-18", "2026-12-17"].map((on) => findOn(failedOn10, nine, on))).toEqual([
      "wrongDay",
      "wrongDay",
      undefined,
    ])
    expect(
      [inBrasilia("2026-12-16", 22) - 1, inBrasilia("2026-12-16", 22)].map((now) => findOn(failedOn10, now)),
    ).toEqual([undefined, "tooLate"])
  })

  it("requires an authorisation that permits retries, and a failure that a retry can change", () => {
    expect(findOn(failedOn10, nine, undefined, { ...aCycle, retryDays: [] })).toBe("notPermitted")
    expect(findOn(newDebit, before)).toBe("notFailed")
    const failedBy = (code: string) => play([[nine, active(anAttempt("rejected", { code }))]])
    for (const code of ["AC05", "NIPA", "IRNT", "DTNT"]) {
      expect(findOn(failedBy(code).debit, nine)).toBe("pointless")
      expect(failedBy(code).news).toEqual([{ kind: "payment-failed", reason: "rejected", on: "2026-12-10", code }])
    }
    for (const code of ["AM02", "AB10", "AC06", "A code of next year"]) {
      expect(findOn(failedBy(code).debit, nine)).toBe(undefined)
    }
    expect(findOn({ ...failedOn10, status: "unpaid" }, nine)).toBe("tooLate")
    expect(findOn({ ...failedOn10, status: "rejected" }, nine)).toBe("pointless")
    expect(findRetryDay(aCycle, { ...failedOn10, status: "unpaid" }, nine)).toBe(undefined)
  })

  it("refuses a retry while another retry is requested or under way", () => {
    const retry = (status: DebitAttempt["status"]) => anAttempt(status, { kind: "retry", on: day("2026-12-12") })
    const awaited: Debit = { ...failedOn10, retries: [day("2026-12-12")] }
    const at11 = inBrasilia("2026-12-11", 10)
    expect(findOn(awaited, at11)).toBe("underWay")
    expect(findRetryDay(aCycle, awaited, at11)).toBe(undefined)
    for (const status of ["requested", "scheduled", "unknown"] as const) {
      expect(findOn({ ...failedOn10, attempts: [...failedOn10.attempts, retry(status)] }, at11)).toBe("underWay")
    }
    const late = inBrasilia("2026-12-12", 21)
    expect([findOn(awaited, late - 1), findOn(awaited, late)]).toEqual(["underWay", undefined])
    expect(findRetryDay(aCycle, awaited, late)).toBe("2026-12-13")
  })

  it("requires a day after all tried days, including days that were rejected early", () => {
    const rejected = anAttempt("rejected", { kind: "retry", on: day("2026-12-14"), code: "AB10" })
    const requested: Debit = { ...failedOn10, retries: [rejected.on] }
    const at = inBrasilia("2026-12-11", 12)
    const { debit, news } = play([[at, active(anAttempt("expired"), rejected)]], requested)
    expect(news).toMatchObject([
      { kind: "payment-failed", on: "2026-12-14", mayRetryUntil: inBrasilia("2026-12-16", 22) },
    ])
    expect(["2026-12-13", "2026-12-14", "2026-12-15"].map((on) => findOn(debit, at, on))).toEqual([
      "wrongDay",
      "wrongDay",
      undefined,
    ])
  })

  it("allows three retries, including retries known only to the bank", () => {
    const retries = ["11", "12", "13"].map((date) => day(`2026-12-${date}`))
    const late = inBrasilia("2026-12-13", 21)
    expect(findOn({ ...failedOn10, retries: retries.slice(0, 2) }, late)).toBe(undefined)
    expect(findOn({ ...failedOn10, retries }, late)).toBe("exhausted")
    const shown = retries.map((on) => anAttempt("expired", { kind: "retry", on }))
    const restored = { ...failedOn10, attempts: [...failedOn10.attempts, ...shown] }
    expect(findOn(restored, late)).toBe("exhausted")
    expect(play([[late, active(...restored.attempts)]], failedOn10).news).toEqual([
      { kind: "payment-failed", reason: "unpaid", on: "2026-12-13" },
    ])
  })
})

/** A day of the simulated bank, with a view that API Pix's states allow. */
interface BankDay {
  readonly at: number
  readonly view: DebitView
}

const anyEnd = fc.constantFrom<DebitAttempt["status"]>("expired", "rejected", "cancelled")
const anyCode = fc.constantFrom(undefined, "AM02", "AB10", "AC05")

/** Simulates a host that retries on any possible day, at a bank that fails every attempt. Views are doubled, lost and late. */
const liveThrough = (
  choices: ReadonlyArray<{ end: DebitAttempt["status"]; code: string | undefined; waits: number; stale: number }>,
) => {
  const seen: Array<BankDay> = []
  const reports: Array<{ news: DebitNews; view: DebitView }> = []
  let debit = newDebit
  let attempts: ReadonlyArray<DebitAttempt> = []
  const look = (at: number, view: DebitView) => {
    const { next, news } = decideDebit(aCycle, debit, view, at)
    debit = next ?? debit
    if (news !== undefined) reports.push({ news, view })
  }
  const show = (at: number, stale: number) => {
    const view = active(...attempts)
    seen.push({ at, view })
    for (const shown of [view, view, seen[stale % seen.length]?.view ?? view, view]) look(at, shown)
  }
  const order = (kind: DebitAttempt["kind"], on: DebitAttempt["on"], choice: (typeof choices)[number]) => {
    const placed = (status: DebitAttempt["status"], code?: string): DebitAttempt => ({
      kind,
      on,
      status,
      endToEndId: `E-${on}`,
      ...(code !== undefined && { code }),
    })
    const others = attempts
    attempts = [...others, placed("requested")]
    show(inBrasilia(plusDays(on, -1), 22), choice.stale)
    attempts = [...others, placed("scheduled")]
    show(inBrasilia(on, 8), choice.stale + 1)
    attempts = [...others, placed(choice.end, choice.code)]
    show(inBrasilia(on, 12), choice.stale + 2)
    show(inBrasilia(on, 21, 5), choice.stale + 3)
  }
  const [first, ...others] = choices
  if (first === undefined) throw new Error("expected a choice")
  order("first", aCycle.settlesOn, first)
  for (const choice of others) {
    const now = inBrasilia(attempts.at(-1)?.on ?? "", 21, 10) + choice.waits * 86_400_000
    const on = findRetryDay(aCycle, debit, now)
    if (on === undefined) break
    debit = { ...debit, retries: [...debit.retries, on] }
    order("retry", on, choice)
  }
  return { debit, attempts, reports }
}

it("reports each fact of a cycle once and no failure while an order is live, and allows at most three retries", () => {
  const choice = fc.record({ end: anyEnd, code: anyCode, waits: fc.constantFrom(0, 0, 0, 1, 2), stale: fc.nat(20) })
  let retried = 0
  fc.assert(
    fc.property(fc.array(choice, { minLength: 6, maxLength: 6 }), (choices) => {
      const { debit, attempts, reports } = liveThrough(choices)
      const keys = reports.map(({ news }) => `${news.kind} ${"attempt" in news ? news.attempt.on : news.on}`)
      expect(new Set(keys).size).toBe(keys.length)
      expect(keys.length).toBe(2 * attempts.length)
      for (const { news, view } of reports) {
        if (news.kind === "payment-failed") expect(view.attempts.some(isLiveAttempt)).toBe(false)
      }
      expect(debit.retries.length).toBeLessThanOrEqual(3)
      expect(new Set(attempts.map(({ on }) => on)).size).toBe(attempts.length)
      for (const on of debit.retries) expect(aCycle.retryDays).toContain(on)
      retried = Math.max(retried, debit.retries.length)
    }),
    { numRuns: 300 },
  )
  expect(retried).toBe(3)
})

it("reports each fact once for any views in any order, and never leaves a final state", () => {
  const attempt = fc.record({
    kind: fc.constantFrom("first", "retry", "resent"),
    on: fc.constantFrom("2026-12-10", "2026-12-11", "2026-12-12").map(day),
    status: fc.constantFrom("requested", "scheduled", "paid", "rejected", "expired", "cancelled", "unknown"),
  }) satisfies fc.Arbitrary<DebitAttempt>
  const view = fc.record({
    status: fc.constantFrom("active", "active", "completed", "rejected", "expired", "cancelled", "absent", "unknown"),
    attempts: fc.uniqueArray(attempt, { maxLength: 4, selector: ({ kind, on }) => `${kind} ${on}` }),
  }) satisfies fc.Arbitrary<DebitView>
  const moment = fc.integer({ min: 0, max: 120 }).map((hours) => inBrasilia("2026-12-09", hours))
  fc.assert(
    fc.property(fc.array(fc.tuple(moment, view), { maxLength: 12 }), (views) => {
      let debit = newDebit
      let last = ""
      for (const [now, shown] of views) {
        const { next, news } = decideDebit(aCycle, debit, shown, now)
        if (debit.status === "rejected" || debit.status === "unpaid") expect(next ?? news).toBe(undefined)
        debit = next ?? debit
        expect(decideDebit(aCycle, debit, shown, now).news).toBe(undefined)
        if (news?.kind !== "payment-failed") continue
        expect(shown.attempts.some((one) => isLiveAttempt(one) && now < inBrasilia(one.on, 21))).toBe(false)
        expect(news.on >= last).toBe(true)
        last = news.on
      }
    }),
    { numRuns: 2_000 },
  )
})
