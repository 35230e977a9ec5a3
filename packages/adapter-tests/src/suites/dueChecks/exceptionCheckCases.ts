import { type ClaimRequest, DueChecks } from "@pixcharge/core"
import type { PaymentException } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { fixtureNow } from "../../fixtures/Charges.ts"
import { anotherCnpj } from "../../fixtures/Companies.ts"
import { commitException, findException, refundingState, resolved, recordUnmatched } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const leaseMs = 90_000
const now = fixtureNow + 1_000_000

const claimExceptions = (request: Partial<ClaimRequest> = {}) =>
  Effect.flatMap(DueChecks, (checks) => checks.claimExceptions({ now, limit: 100, leaseMs, ...request }))

const exceptionPayments = (exceptions: ReadonlyArray<PaymentException>) => exceptions.map(({ payment }) => payment)

export const exceptionCheckCases = ({ test, neighbour }: StoreTests): void => {
  test("claims refunds with due checks across companies, the oldest first, each once", () =>
    Effect.gen(function* () {
      const late = yield* recordUnmatched()
      const early = yield* recordUnmatched({ issuer: neighbour })
      const young = yield* recordUnmatched()
      yield* commitException(late, refundingState(now))
      yield* commitException(early, refundingState(now - 1))
      yield* commitException(young, refundingState(now + 1))
      yield* commitException(yield* recordUnmatched(), resolved)
      yield* recordUnmatched()
      const [taken] = yield* claimExceptions({ limit: 1 })
      expect(taken).toEqual({
        payment: early,
        reason: "unmatched",
        state: refundingState(now + leaseMs),
        version: 1,
        returns: [],
      })
      expect(yield* findException(early)).toEqual(taken)
      expect(exceptionPayments(yield* claimExceptions())).toEqual([late])
      expect(yield* claimExceptions()).toEqual([])
    }))

  test("claims due refunds before a refund that a clock far ahead has scheduled", () =>
    Effect.gen(function* () {
      const day = 86_400_000
      const [due, soon, ahead] = [yield* recordUnmatched(), yield* recordUnmatched(), yield* recordUnmatched()]
      yield* commitException(due, refundingState(now))
      yield* commitException(soon, refundingState(now + day))
      yield* commitException(ahead, refundingState(now + 40 * day))
      expect(exceptionPayments(yield* claimExceptions({ limit: 1 }))).toEqual([due])
      const [taken] = yield* claimExceptions()
      expect([taken?.payment, taken?.state]).toEqual([ahead, refundingState(now + leaseMs)])
      expect(yield* claimExceptions()).toEqual([])
    }))

  test("makes a claimed refund due again when its lease ends or at its scheduled check, unless the exception has moved on", () =>
    Effect.gen(function* () {
      const checks = yield* DueChecks
      const payment = yield* recordUnmatched()
      const other = yield* recordUnmatched()
      yield* commitException(payment, refundingState(now))
      yield* commitException(other, refundingState(now + 20 * leaseMs))
      const [taken] = yield* claimExceptions()
      if (taken === undefined) return yield* Effect.die(new Error("expected a due refund"))
      expect(yield* claimExceptions({ now: now + leaseMs - 1 })).toEqual([])
      expect(exceptionPayments(yield* claimExceptions({ now: now + leaseMs }))).toEqual([payment])
      yield* checks.scheduleException(taken, now + 7)
      expect((yield* findException(payment))?.state).toEqual(refundingState(now + 7))
      expect((yield* findException(other))?.state).toEqual(refundingState(now + 20 * leaseMs))
      yield* checks.scheduleException({ ...taken, version: taken.version - 1 }, now)
      yield* checks.scheduleException({ ...taken, payment: { ...payment, issuer: anotherCnpj } }, now)
      expect(yield* claimExceptions({ now: now + 6 })).toEqual([])
      expect(exceptionPayments(yield* claimExceptions({ now: now + 7 }))).toEqual([payment])
      yield* commitException(payment, { _tag: "Open" }, { expectedVersion: 1 })
      yield* checks.scheduleException({ ...taken, version: 2 }, now)
      expect((yield* findException(payment))?.state).toEqual({ _tag: "Open" })
      expect(yield* claimExceptions({ now: now + 10 * leaseMs })).toEqual([])
    }))

  test("gives each refund to one of many concurrent processes", () =>
    Effect.gen(function* () {
      const made = []
      for (let index = 0; index < 30; index++) {
        const payment = yield* recordUnmatched()
        yield* commitException(payment, refundingState(now - index))
        made.push(payment)
      }
      const taken = yield* Effect.all(
        Array.from({ length: 8 }, () => claimExceptions({ limit: 7 })),
        { concurrency: "unbounded" },
      )
      const all = [...exceptionPayments(taken.flat()), ...exceptionPayments(yield* claimExceptions())]
      const ids = all.map(({ endToEndId }) => endToEndId)
      expect(ids.toSorted()).toEqual(made.map(({ endToEndId }) => endToEndId).toSorted())
    }))
}
