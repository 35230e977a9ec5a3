import {
  type RequestedRecurrence,
  decideRecurrence,
  type Recurrence,
  type RecurrenceCommand,
  type RecurrenceView,
} from "@pixcharge/core/recurrence"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anApproved, inBrasilia } from "./recurring.ts"

const now = inBrasilia("2026-11-27", 12)
const { _tag: _, bankId, approvedAt: __, ...fields } = anApproved({ version: 1 })
const requested: RequestedRecurrence = { _tag: "Requested", ...fields }
const brCode = "00020126"

const shows = (status: RecurrenceView["status"], view: Partial<RecurrenceView> = {}): RecurrenceCommand => ({
  _tag: "RecordView",
  view: { bankId, status, ...view },
})
const requestEnd: RecurrenceCommand = { _tag: "RequestEnd" }
const refusal: RecurrenceCommand = { _tag: "RecordRefusal", code: "RecOperacaoInvalida" }
const absence: RecurrenceCommand = { _tag: "RecordAbsence" }

/** Applies these commands. Returns the recurrence and the kinds of its events. */
const play = (commands: ReadonlyArray<RecurrenceCommand>, from: Recurrence = requested) => {
  let recurrence = from
  const events: Array<string> = []
  for (const command of commands) {
    const { next, publish } = decideRecurrence(recurrence, command, now)
    recurrence = next ?? recurrence
    if (publish !== undefined) events.push(publish)
  }
  return { recurrence, events }
}

const base = { ...fields, updatedAt: now }

describe("decideRecurrence", () => {
  it("offers a recurrence once the bank shows it, and approves it once the payer has approved", () => {
    const offered = { ...base, _tag: "Offered", version: 2, bankId, brCode }
    expect(play([shows("offered", { brCode })])).toEqual({ recurrence: offered, events: [] })
    expect(play([shows("offered"), shows("offered", { brCode })]).recurrence).toEqual({ ...offered, version: 3 })
    expect(play([shows("offered", { brCode }), shows("approved", { at: now - 7 })])).toEqual({
      recurrence: { ...base, _tag: "Approved", version: 3, bankId, approvedAt: now - 7 },
      events: ["recurrence-approved"],
    })
    expect(play([shows("approved")]).recurrence).toMatchObject({ _tag: "Approved", approvedAt: now })
  })

  it.each([
    ["declined", { reason: "declined", by: "payer", code: "AP14", at: now }],
    ["expired", { reason: "expired", code: "AP14", at: now }],
    ["cancelled", { reason: "ended", code: "AP14", at: now }],
  ] as const)("ends a recurrence in every state when the bank shows it as %s", (status, end) => {
    const view = shows(status, { code: "AP14" })
    for (const before of [[], [shows("offered", { brCode })], [shows("approved")]]) {
      const { recurrence, events } = play([...before, view])
      expect(recurrence).toEqual({ ...base, _tag: "Ended", version: before.length + 2, bankId, end })
      expect(events.at(-1)).toBe("recurrence-ended")
    }
  })

  it("records who ended a recurrence: the bank's answer, or the company after its request", () => {
    const end = (...commands: ReadonlyArray<RecurrenceCommand>) => {
      const { recurrence } = play(commands)
      return recurrence._tag === "Ended" ? recurrence.end : undefined
    }
    expect(end(shows("approved"), shows("cancelled", { by: "payerBank", code: "ACCL", at: 5 }))).toEqual({
      reason: "ended",
      by: "payerBank",
      code: "ACCL",
      at: 5,
    })
    expect(end(shows("approved"), requestEnd, shows("cancelled"))).toMatchObject({ reason: "ended", by: "company" })
    expect(end(shows("approved"), requestEnd, shows("cancelled", { by: "payer" }))).toMatchObject({ by: "payer" })
    expect(end(shows("approved"), requestEnd, shows("expired"))).toEqual({ reason: "expired", at: now })
  })

  it("keeps a recurrence ending until the bank confirms the end, even after an approval", () => {
    const { recurrence, events } = play([shows("offered", { brCode }), requestEnd, requestEnd, shows("approved")])
    expect(recurrence).toEqual({ ...base, _tag: "Ending", version: 3, bankId, requestedAt: now })
    expect(events).toEqual([])
  })

  it("records the bank's id of an unanswered offer that was ended", () => {
    for (const status of ["offered", "approved"] as const) {
      const { recurrence, events } = play([requestEnd, shows(status, { brCode })])
      expect(recurrence).toEqual({ ...base, _tag: "Ending", version: 3, bankId, requestedAt: now })
      expect(events).toEqual([])
    }
    expect(play([requestEnd, absence]).recurrence).toEqual({
      ...base,
      _tag: "Ended",
      version: 3,
      end: { reason: "ended", by: "company", at: now },
    })
    expect(play([requestEnd, refusal]).recurrence).toMatchObject({ _tag: "Ended", end: { reason: "refused" } })
  })

  it("ends a recurrence if the bank refuses the offer", () => {
    expect(play([refusal])).toMatchObject({
      recurrence: { _tag: "Ended", end: { reason: "refused", by: "companyBank", code: "RecOperacaoInvalida" } },
      events: ["recurrence-ended"],
    })
    for (const before of [[shows("offered")], [shows("approved")], [shows("offered"), requestEnd]]) {
      const { recurrence } = play(before)
      expect(decideRecurrence(recurrence, refusal, now)).toEqual({})
      expect(decideRecurrence(recurrence, absence, now)).toEqual({})
    }
    expect(decideRecurrence(requested, absence, now)).toEqual({})
  })

  it("ignores another authorisation, and an unknown status", () => {
    const { recurrence } = play([shows("approved")])
    expect(decideRecurrence(recurrence, shows("cancelled", { bankId: "another" }), now)).toEqual({})
    expect(decideRecurrence(recurrence, shows("cancelled", { bankId: bankId.toLowerCase() }), now)).toEqual({})
    for (const from of [requested, recurrence]) expect(decideRecurrence(from, shows("unknown"), now)).toEqual({})
  })

  it("keeps the BR Code unless a view shows a new BR Code", () => {
    const { recurrence } = play([shows("offered", { brCode })])
    expect(decideRecurrence(recurrence, shows("offered"), now)).toEqual({})
    expect(decideRecurrence(recurrence, shows("offered", { brCode }), now)).toEqual({})
    expect(decideRecurrence(recurrence, shows("offered", { brCode: "new" }), now).next).toMatchObject({ brCode: "new" })
  })
})

/** Possible sequences of a recurrence's states in API Pix. */
const lives = [
  ["offered"],
  ["offered", "approved"],
  ["offered", "declined"],
  ["offered", "expired"],
  ["offered", "cancelled"],
  ["offered", "approved", "cancelled"],
  ["offered", "approved", "expired"],
] as const

it("reaches the bank's state after its views in any order and number", () => {
  const life = fc.constantFrom(...lives)
  const shuffled = life.chain((statuses) =>
    fc.tuple(
      fc.constant(statuses),
      fc
        .array(fc.constantFrom<RecurrenceView["status"]>(...statuses, "unknown"), { maxLength: 8 })
        .chain((more) => fc.shuffledSubarray([...statuses, ...more], { minLength: statuses.length + more.length })),
    ),
  )
  fc.assert(
    fc.property(shuffled, ([statuses, views]) => {
      const command = (status: RecurrenceView["status"]) => shows(status, { at: 5, brCode, by: "payer" })
      const inOrder = play(statuses.map(command))
      const { recurrence, events } = play(views.map(command))
      expect({ ...recurrence, version: 0 }).toEqual({ ...inOrder.recurrence, version: 0 })
      expect(events.filter((event) => event === "recurrence-approved").length).toBeLessThanOrEqual(1)
      expect(events.filter((event) => event === "recurrence-ended").length).toBe(recurrence._tag === "Ended" ? 1 : 0)
    }),
    { numRuns: 500 },
  )
})

it("only moves forward after any commands, one version at a time, without stale fields", () => {
  const order = ["Requested", "Offered", "Approved", "Ending", "Ended"]
  const own: Record<string, ReadonlyArray<string>> = {
    Requested: [],
    Offered: ["bankId", "brCode"],
    Approved: ["bankId", "approvedAt"],
    Ending: ["bankId", "requestedAt"],
    Ended: ["bankId", "end"],
  }
  const status = fc.constantFrom<RecurrenceView["status"]>(
    "offered",
    "offered",
    "approved",
    "declined",
    "expired",
    "cancelled",
    "unknown",
  )
  const command = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(status, fc.constantFrom({}, { brCode }, { bankId: "another" })).map((view) => shows(...view)),
    },
    fc.constantFrom(requestEnd, refusal, absence),
  )
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
      let recurrence: Recurrence = requested
      let approvals = 0
      for (const one of commands) {
        const { next, publish } = decideRecurrence(recurrence, one, now)
        if (recurrence._tag === "Ended") expect({ next, publish }).toEqual({ next: undefined, publish: undefined })
        if (next === undefined) {
          expect(publish).toBe(undefined)
          continue
        }
        const names = Object.keys(next).filter((name) => !(name in fields) && name !== "_tag")
        expect({
          movesBack: order.indexOf(next._tag) < order.indexOf(recurrence._tag),
          isEndPublished: publish === "recurrence-ended",
          isApprovalPublished: publish === "recurrence-approved",
          staleFields: names.filter((name) => own[next._tag]?.includes(name) !== true),
          next,
        }).toMatchObject({
          movesBack: false,
          isEndPublished: next._tag === "Ended",
          isApprovalPublished: next._tag === "Approved",
          staleFields: [],
          next: {
            ...fields,
            version: recurrence.version + 1,
            updatedAt: next.updatedAt,
            ...("bankId" in recurrence && { bankId: recurrence.bankId }),
          },
        })
        if (next._tag === "Approved") approvals++
        seen.add(`${recurrence._tag} ${next._tag}`)
        recurrence = next
      }
      expect(approvals).toBeLessThanOrEqual(1)
    }),
    { numRuns: 2_000 },
  )
  expect(seen.size).toBe(12)
})
