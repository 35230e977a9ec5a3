import { Actor, type AuditFilter, AuditLog, Outbox } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { allPages, insertedAndPaid } from "../commits.ts"
import { commitException, findException, refundingState, resolved, unmatched } from "../exceptions.ts"
import { later, settleAll } from "../outbox/queue.ts"
import type { StoreTests } from "../StoreDriver.ts"

const records = (filter: AuditFilter = {}, cnpj: Cnpj = aCnpj) =>
  Effect.flatMap(AuditLog, (log) =>
    Effect.map(
      allPages((page) => log.list(cnpj, filter, page), 2),
      (pages) => pages.flat(),
    ),
  )

const changes = (filter?: AuditFilter, cnpj?: Cnpj) =>
  Effect.map(records(filter, cnpj), (all) => all.map(({ by, change }) => [by, change]))

const as = (actor: string) => Effect.provideService(Actor, actor)

/** An exception that somebody resolves. */
const resolvedBy = Effect.fnUntraced(function* (actor: string, issuer: Cnpj = aCnpj) {
  const payment = yield* unmatched({ issuer })
  const change = { kind: "exceptionResolved", endToEndId: payment.endToEndId, hasNote: true } as const
  expect(yield* commitException(payment, resolved, { audit: change }).pipe(as(actor))).toBe(true)
  return change
})

export const auditCases = ({ test }: StoreTests): void => {
  test("a move of an exception is recorded with it, under who decided on it; one that is nobody's decision is not", () =>
    Effect.gen(function* () {
      const payment = yield* unmatched()
      const { endToEndId } = payment
      const requested = { kind: "exceptionRefundRequested", endToEndId } as const
      const kept = { kind: "exceptionResolved", endToEndId, hasNote: false } as const
      yield* commitException(payment, refundingState(), { audit: requested }).pipe(as("ana"))
      yield* commitException(payment, { _tag: "Open" }, { expectedVersion: 1 }).pipe(as("ana"))
      yield* commitException(payment, resolved, { expectedVersion: 2, audit: kept })
      expect(yield* changes()).toEqual([
        [undefined, kept],
        ["ana", requested],
      ])
    }))

  test("a move that was not made is not recorded", () =>
    Effect.gen(function* () {
      const payment = yield* unmatched()
      const { endToEndId } = payment
      const audit = { kind: "exceptionResolved", endToEndId, hasNote: true } as const
      expect(yield* commitException(payment, resolved, { expectedVersion: 1, audit })).toBe(false)
      expect(yield* commitException({ ...payment, endToEndId: "E0" }, resolved, { audit })).toBe(false)
      expect((yield* findException(payment))?.version).toBe(0)
      expect(yield* changes()).toEqual([])
    }))

  test("a replay is recorded with how many deliveries it sends again, and none with nothing to send", () =>
    Effect.gen(function* () {
      const { id: chargeId } = yield* insertedAndPaid({}, ["loja", "parceiro"])
      yield* settleAll({ _tag: "Delivered" })
      const outbox = yield* Outbox
      expect(yield* outbox.replay(aCnpj, { chargeId }, later).pipe(as("ana"))).toBe(2)
      expect(yield* outbox.replay(aCnpj, { chargeId }, later).pipe(as("ana"))).toBe(0)
      expect(yield* changes()).toEqual([["ana", { kind: "eventsReplayed", deliveries: 2 }]])
    }))

  test("records are listed newest first, with the moment in real time, and each has an id of its own", () =>
    Effect.gen(function* () {
      const made = []
      for (let at = 0; at < 7; at++) made.push(yield* resolvedBy(`person ${at}`))
      const all = yield* records()
      expect(all.map(({ change }) => change)).toEqual(made.toReversed())
      expect(new Set(all.map(({ id }) => id)).size).toBe(7)
      const moments = all.map(({ at }) => at)
      expect(moments).toEqual(moments.toSorted((a, b) => b - a))
      // Two machines' clocks may differ.
      for (const at of moments) expect(Math.abs(at - Date.now())).toBeLessThan(3_600_000)
      expect(all.every(({ cnpj }) => cnpj === aCnpj)).toBe(true)
    }))

  test("a list is narrowed by kind, by actor and by period, and by all of them", () =>
    Effect.gen(function* () {
      const bySomebody = yield* resolvedBy("ana")
      const byAnother = yield* resolvedBy("rui")
      const payment = yield* unmatched()
      const requested = { kind: "exceptionRefundRequested", endToEndId: payment.endToEndId } as const
      yield* commitException(payment, refundingState(), { audit: requested }).pipe(as("ana"))
      const found = (filter: AuditFilter) => Effect.map(records(filter), (all) => all.map(({ change }) => change))
      expect(yield* found({ kind: "exceptionResolved" })).toEqual([byAnother, bySomebody])
      expect(yield* found({ by: "ana" })).toEqual([requested, bySomebody])
      expect(yield* found({ kind: "exceptionResolved", by: "ana" })).toEqual([bySomebody])
      const moments = (yield* records()).map(({ at }) => at)
      const [until, from] = [Math.max(...moments), Math.min(...moments)]
      const whole = { from, until: until + 1 }
      expect(yield* found({ period: whole })).toHaveLength(3)
      expect(yield* found({ kind: "exceptionResolved", by: "rui", period: whole })).toEqual([byAnother])
      expect(yield* found({ period: { from: until + 1, until: until + 2 } })).toEqual([])
      expect(yield* found({ period: { from: 0, until: from } })).toEqual([])
      expect(yield* found({ by: "an" })).toEqual([])
    }))

  test("a company's records are its own", () =>
    Effect.gen(function* () {
      const own = yield* resolvedBy("ana", aCnpj)
      const others = yield* resolvedBy("ana", anotherCnpj)
      expect(yield* changes({}, aCnpj)).toEqual([["ana", own]])
      expect(yield* changes({ by: "ana" }, anotherCnpj)).toEqual([["ana", others]])
    }))

  test("an actor of any text is recorded as far as it can be kept, and an empty one as nobody", () =>
    Effect.gen(function* () {
      for (const actor of ["", "a\0b\ud800c", `${"x".repeat(199)}🦜`]) yield* resolvedBy(actor)
      const actors = (yield* records()).map(({ by }) => by)
      expect(actors).toEqual([`${"x".repeat(199)}\ufffd`, "a\ufffdb\ufffdc", undefined])
    }))

  test("a cursor that comes from no page is refused", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const failure = yield* Effect.flip(log.list(aCnpj, {}, { limit: 2, cursor: "nenhuma" }))
      expect(failure).toMatchObject({ _tag: "StoreUnavailable" })
    }))
}
