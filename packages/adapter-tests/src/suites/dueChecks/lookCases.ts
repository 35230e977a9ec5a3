import { DueChecks, type DueKind, Outbox, Reconciliations, type StorePorts } from "@pixcharge/core"
import { maxRecurrenceCheckMs, RecurrenceStore } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { fixtureNow } from "../../fixtures/Charges.ts"
import { anotherCnpj } from "../../fixtures/Companies.ts"
import { aTestEvent } from "../../fixtures/Payments.ts"
import { aRecurrence } from "../../fixtures/Recurrences.ts"
import { commitException, insertCharge, recordUnmatched, refundingState } from "../commits.ts"
import type { StoreTests, TestedPorts } from "../StoreDriver.ts"

const now = fixtureNow + 1_000_000
const leaseMs = 90_000
const hour = 3_600_000
const day = 24 * hour

const look = (at = now) => Effect.flatMap(DueChecks, (checks) => checks.look(at))
const kinds = (at?: number) => Effect.map(look(at), (found) => [...found.kinds].toSorted())

const charge = (at: number, issuer = anotherCnpj) => insertCharge({ checkAt: at, issuer })
const exception = Effect.fnUntraced(function* (at: number) {
  yield* commitException(yield* recordUnmatched({ issuer: anotherCnpj }), refundingState(at))
})
const recurrence = (at: number) =>
  Effect.flatMap(RecurrenceStore, (store) => store.insert(aRecurrence({ issuer: anotherCnpj }), at))
const delivery = (at: number) =>
  Effect.flatMap(Outbox, (outbox) =>
    outbox.add({ event: aTestEvent({ issuer: anotherCnpj, occurredAt: at }), endpointId: "loja" }, at),
  )

/** Claims all charges and turns. */
const claimAll = (at: number) =>
  Effect.gen(function* () {
    yield* (yield* DueChecks).claimCharges({ now: at, limit: 100, leaseMs })
    const turns = yield* Reconciliations
    while ((yield* turns.claim({ now: at, leaseMs })) !== undefined);
  })

export const lookCases = ({ test }: StoreTests): void => {
  test("finds no work and an empty outbox in an empty store", () =>
    Effect.gen(function* () {
      expect(yield* look()).toEqual({ kinds: new Set(), depth: { waiting: 0 } })
    }))

  const testKind = <E, R extends StorePorts>(kind: DueKind, make: (at: number) => Effect.Effect<unknown, E, R>) =>
    test(`finds ${kind} of any company from the moment they are due`, () =>
      Effect.gen(function* () {
        yield* make(now)
        expect(yield* kinds(now - 1)).not.toContain(kind)
        expect((yield* kinds(now)).filter((one) => one !== "companies")).toEqual([kind])
      }) as Effect.Effect<void, unknown, TestedPorts>)
  testKind("charges", charge)
  testKind("exceptions", exception)
  testKind("recurrences", recurrence)
  testKind("deliveries", delivery)

  test("finds a company's turn, and the turn of a company that a due charge will wake", () =>
    Effect.gen(function* () {
      yield* charge(now + hour)
      yield* (yield* Reconciliations).enter(now)
      expect([yield* kinds(now - 1), yield* kinds(now)]).toEqual([[], ["companies"]])
      yield* claimAll(now)
      expect(yield* kinds(now)).toEqual([])
      expect(yield* kinds(now + hour)).toEqual(["charges", "companies"])
    }))

  test("finds no work that another process has claimed, until its lease ends", () =>
    Effect.gen(function* () {
      yield* charge(now)
      yield* exception(now)
      yield* recurrence(now)
      yield* claimAll(now)
      yield* (yield* DueChecks).claimExceptions({ now, limit: 1, leaseMs })
      yield* (yield* RecurrenceStore).claim({ now, limit: 1, leaseMs })
      expect([yield* kinds(now), yield* kinds(now + leaseMs - 1)]).toEqual([[], []])
      expect(yield* kinds(now + leaseMs)).toEqual(["charges", "companies", "exceptions", "recurrences"])
    }))

  test("finds work whose time a clock far ahead has set", () =>
    Effect.gen(function* () {
      yield* charge(now + 3 * day)
      expect(yield* kinds()).toContain("charges")
      yield* claimAll(now)
      expect(yield* kinds()).not.toContain("charges")
      yield* exception(now + 3 * day)
      expect(yield* kinds()).toContain("exceptions")
      yield* recurrence(now + maxRecurrenceCheckMs + 1)
      expect(yield* kinds()).toContain("recurrences")
    }))

  test("finds a turn that a clock far ahead has set", () =>
    Effect.gen(function* () {
      const turns = yield* Reconciliations
      yield* insertCharge({ issuer: anotherCnpj })
      yield* turns.enter(now)
      const claimed = yield* turns.claim({ now, leaseMs })
      if (claimed === undefined) return yield* Effect.die(new Error("expected a company whose turn has come"))
      yield* turns.save(claimed, { _tag: "Release", nextAt: now + 3 * day })
      expect([yield* kinds(now), yield* kinds(now + 2 * day)]).toEqual([["companies"], []])
    }))

  test("finds ended checks for a clock that was set back", () =>
    Effect.gen(function* () {
      const checks = yield* DueChecks
      yield* charge(now)
      const [taken] = yield* checks.claimCharges({ now, limit: 1, leaseMs })
      if (taken === undefined) return yield* Effect.die(new Error("expected a due charge"))
      yield* checks.scheduleCharge(taken, undefined, { endedAt: now })
      expect([yield* kinds(now - 59_000), yield* kinds(now - hour)].map((found) => found.includes("charges"))).toEqual([
        false,
        true,
      ])
    }))

  test("counts deliveries that aren't due in the depth", () =>
    Effect.gen(function* () {
      yield* delivery(now + 5)
      yield* delivery(now + 2)
      expect(yield* look()).toEqual({ kinds: new Set(), depth: { waiting: 2, oldestAt: now + 2 } })
    }))
}
