import { Actor, type AuditFilter, AuditLog, Outbox, PayerData } from "@pixcharge/core"
import type { Cnpj, TaxId } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import {
  aCancelledCharge,
  aChange,
  aChargeId,
  aPartialRefund,
  aPartlyRefundedCharge,
  fixtureNow,
} from "../fixtures/Charges.ts"
import { aCnpj, anotherCnpj, cpf } from "../fixtures/Companies.ts"
import { aTestEvent } from "../fixtures/Payments.ts"
import { type StoreHooks, storeTests, type StoreTests, type TestedPorts } from "./StoreDriver.ts"
import {
  allPages,
  commit,
  commitException,
  endRecurrence,
  findException,
  insertApproved,
  insertCharge,
  insertPaid,
  recordUnmatched,
  refundingState,
  resolved,
} from "./commits.ts"
import { later, settleAll } from "./outbox/queue.ts"

/** Tests of a store's `AuditLog`. */
export const auditLogSuite = (name: string, layer: Layer.Layer<TestedPorts, unknown>, hooks: StoreHooks = {}): void => {
  describe(`${name}: AuditLog`, () => {
    auditCases(storeTests(layer, hooks))
  })
}

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

const resolvedBy = Effect.fnUntraced(function* (actor: string, issuer: Cnpj = aCnpj) {
  const payment = yield* recordUnmatched({ issuer })
  const change = { kind: "exceptionResolved", endToEndId: payment.endToEndId, hasNote: true } as const
  expect(yield* commitException(payment, resolved, { audit: change }).pipe(as(actor))).toBe(true)
  return change
})

export const auditCases = ({ test }: StoreTests): void => {
  test("records each decision on an exception with its actor, and skips a move without a decision", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched()
      const { endToEndId } = payment
      const requested = { kind: "exceptionRefundRequested", endToEndId } as const
      const resolution = { kind: "exceptionResolved", endToEndId, hasNote: false } as const
      yield* commitException(payment, refundingState(), { audit: requested }).pipe(as("ana"))
      yield* commitException(payment, { _tag: "Open" }, { expectedVersion: 1 }).pipe(as("ana"))
      yield* commitException(payment, resolved, { expectedVersion: 2, audit: resolution })
      expect(yield* changes()).toEqual([
        [undefined, resolution],
        ["ana", requested],
      ])
    }))

  test("doesn't record a refused move", () =>
    Effect.gen(function* () {
      const payment = yield* recordUnmatched()
      const { endToEndId } = payment
      const audit = { kind: "exceptionResolved", endToEndId, hasNote: true } as const
      expect(yield* commitException(payment, resolved, { expectedVersion: 1, audit })).toBe(false)
      expect(yield* commitException({ ...payment, endToEndId: "E0" }, resolved, { audit })).toBe(false)
      expect((yield* findException(payment))?.version).toBe(0)
      expect(yield* changes()).toEqual([])
    }))

  test("records a replay with its number of deliveries, unless it is zero", () =>
    Effect.gen(function* () {
      const { id: chargeId } = yield* insertPaid({}, ["loja", "parceiro"])
      yield* settleAll({ _tag: "Delivered" })
      const outbox = yield* Outbox
      expect(yield* outbox.replay(aCnpj, { chargeId }, later).pipe(as("ana"))).toBe(2)
      expect(yield* outbox.replay(aCnpj, { chargeId }, later).pipe(as("ana"))).toBe(0)
      expect(yield* changes()).toEqual([["ana", { kind: "eventsReplayed", deliveries: 2 }]])
    }))

  test("records a replay with its name", () =>
    Effect.gen(function* () {
      const { id: chargeId } = yield* insertPaid({}, ["loja"])
      yield* settleAll({ _tag: "Delivered" })
      const outbox = yield* Outbox
      expect(yield* outbox.replay(aCnpj, { chargeId }, later, "after the outage").pipe(as("ana"))).toBe(1)
      expect(yield* changes()).toEqual([["ana", { kind: "eventsReplayed", deliveries: 1, name: "after the outage" }]])
    }))

  test("lists records newest first, each with the real time and a unique id", () =>
    Effect.gen(function* () {
      const made = []
      for (let index = 0; index < 7; index++) made.push(yield* resolvedBy(`person ${index}`))
      const all = yield* records()
      expect(all.map(({ change }) => change)).toEqual(made.toReversed())
      expect(new Set(all.map(({ id }) => id)).size).toBe(7)
      const moments = all.map(({ at }) => at)
      expect(moments).toEqual(moments.toSorted((a, b) => b - a))
      // The clocks of two machines can differ.
      for (const at of moments) expect(Math.abs(at - Date.now())).toBeLessThan(3_600_000)
      expect(all.every(({ cnpj }) => cnpj === aCnpj)).toBe(true)
    }))

  test("filters a list by kind, by actor, by period, and by all three", () =>
    Effect.gen(function* () {
      const bySomebody = yield* resolvedBy("ana")
      const byAnother = yield* resolvedBy("rui")
      const payment = yield* recordUnmatched()
      const requested = { kind: "exceptionRefundRequested", endToEndId: payment.endToEndId } as const
      yield* commitException(payment, refundingState(), { audit: requested }).pipe(as("ana"))
      const listChanges = (filter: AuditFilter) => Effect.map(records(filter), (all) => all.map(({ change }) => change))
      expect(yield* listChanges({ kind: "exceptionResolved" })).toEqual([byAnother, bySomebody])
      expect(yield* listChanges({ by: "ana" })).toEqual([requested, bySomebody])
      expect(yield* listChanges({ kind: "exceptionResolved", by: "ana" })).toEqual([bySomebody])
      const moments = (yield* records()).map(({ at }) => at)
      const [until, from] = [Math.max(...moments), Math.min(...moments)]
      const whole = { from, until: until + 1 }
      expect(yield* listChanges({ period: whole })).toHaveLength(3)
      expect(yield* listChanges({ kind: "exceptionResolved", by: "rui", period: whole })).toEqual([byAnother])
      expect(yield* listChanges({ period: { from: until + 1, until: until + 2 } })).toEqual([])
      expect(yield* listChanges({ period: { from: 0, until: from } })).toEqual([])
      expect(yield* listChanges({ by: "an" })).toEqual([])
    }))

  test("records a charge's move and its actor only if the move was made", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const audit = { kind: "chargeCancelled", chargeId: charge.id } as const
      const cancelling = aChange(charge, { next: aCancelledCharge(charge), audit })
      const moves = yield* Effect.all([commit(cancelling), commit(cancelling)].map(as("ana")), {
        concurrency: "unbounded",
      })
      expect(moves.filter(({ moved }) => moved)).toHaveLength(1)
      expect(yield* changes()).toEqual([["ana", audit]])
    }))

  test("records each of several moves committed together, including partial refunds, with its actor", () =>
    Effect.gen(function* () {
      const actors = Array.from({ length: 12 }, (_, index) => `person ${index}`)
      const expected: Array<unknown> = []
      const moves = yield* Effect.all(
        actors.map((actor, index) =>
          Effect.gen(function* () {
            if (index % 3 === 0) {
              const charge = yield* insertPaid()
              const partialRefund = aPartialRefund(charge)
              const audit = { kind: "partialRefundRequested", chargeId: charge.id, key: "a", amountCents: 5 } as const
              expected.push([actor, audit])
              return aChange(charge, { next: aPartlyRefundedCharge(charge, partialRefund), partialRefund, audit })
            }
            const charge = yield* insertCharge()
            const next = aCancelledCharge(charge)
            if (index % 3 === 1) return aChange(charge, { next })
            const audit = { kind: "chargeCancelled", chargeId: charge.id } as const
            expected.push([actor, audit])
            return aChange(charge, { next, audit })
          }),
        ),
      )
      yield* Effect.all(
        moves.map((change, index) => commit(change).pipe(as(actors[index] ?? ""))),
        { concurrency: "unbounded" },
      )
      const made = yield* changes()
      expect(made).toHaveLength(expected.length)
      expect(made).toEqual(expect.arrayContaining(expected))
    }))

  test("appends a record of an action that writes nothing, and finds it by kind", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const chargeId = aChargeId()
      const reconciled = { kind: "reconcileRequested", from: 1_780_000_000_000, until: 1_780_000_000_001 } as const
      yield* log.append(aCnpj, { kind: "payerShown", chargeId }).pipe(as("ana"))
      yield* log.append(aCnpj, reconciled)
      yield* log.append(anotherCnpj, { kind: "payerExported", charges: 3 }).pipe(as("rui"))
      expect(yield* changes()).toEqual([
        [undefined, reconciled],
        ["ana", { kind: "payerShown", chargeId }],
      ])
      expect(yield* changes({ kind: "payerExported" }, anotherCnpj)).toEqual([
        ["rui", { kind: "payerExported", charges: 3 }],
      ])
    }))

  test("finds only the records about a charge or an exception by its id", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const [chargeId, other] = [aChargeId(), aChargeId()]
      const cancelled = { kind: "chargeCancelled", chargeId } as const
      yield* log.append(aCnpj, cancelled)
      yield* log.append(aCnpj, { kind: "chargeCancelled", chargeId: other })
      yield* log.append(anotherCnpj, cancelled)
      const resolution = yield* resolvedBy("ana")
      const { endToEndId } = resolution
      expect(yield* changes({ chargeId })).toEqual([[undefined, cancelled]])
      expect(yield* changes({ endToEndId })).toEqual([["ana", resolution]])
      expect(yield* changes({ endToEndId, chargeId })).toEqual([])
      expect(yield* changes({ chargeId: aChargeId() })).toEqual([])
      yield* log.append(aCnpj, { kind: "payerShown", chargeId }).pipe(as("rui"))
      expect(yield* changes({ chargeId, by: "rui" })).toEqual([["rui", { kind: "payerShown", chargeId }]])
      expect(yield* records({ chargeId })).toHaveLength(2)
    }))

  test("records a test event once, and only if the call passes an audit record", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const [event, silent] = [aTestEvent(), aTestEvent()]
      const audit = { kind: "testEventSent", endpointId: "loja", eventId: event.id } as const
      yield* outbox.add({ event, endpointId: "loja" }, later, audit).pipe(as("ana"))
      yield* outbox.add({ event, endpointId: "loja" }, later, audit).pipe(as("rui"))
      yield* outbox.add({ event: silent, endpointId: "loja" }, later).pipe(as("ana"))
      yield* settleAll({ _tag: "Delivered" })
      yield* outbox.add({ event, endpointId: "loja" }, later, audit).pipe(as("rui"))
      expect(yield* changes()).toEqual([["ana", audit]])
    }))

  test("records an erasure of a payer's data with its counts, its oldest charge and its actor", () =>
    Effect.gen(function* () {
      const payers = yield* PayerData
      const [ana, rui] = [cpf("52998224725"), cpf("11144477735")]
      const insertOf = (taxId: TaxId, createdAt: number) =>
        insertCharge({ payer: { name: "Um pagador", taxId }, createdAt })
      yield* insertOf(ana, fixtureNow - 1)
      const oldest = yield* insertOf(ana, fixtureNow - 2)
      yield* insertOf(ana, fixtureNow)
      const other = yield* insertOf(rui, fixtureNow)
      expect(yield* payers.erase(aCnpj, ana, fixtureNow).pipe(as("ana"))).toBe(3)
      expect(yield* payers.erase(aCnpj, ana, fixtureNow).pipe(as("ana"))).toBe(0)
      expect(yield* payers.erase(aCnpj, rui, fixtureNow)).toBe(1)
      const known = [
        [undefined, { kind: "payerErased", charges: 1, oldestChargeId: other.id }],
        ["ana", { kind: "payerErased", charges: 3, oldestChargeId: oldest.id }],
      ]
      expect(yield* changes()).toEqual(known)
      const recurrence = yield* insertApproved()
      yield* endRecurrence(recurrence)
      expect(yield* payers.erase(aCnpj, ana, fixtureNow).pipe(as("rui"))).toBe(1)
      const last = { kind: "payerErased", charges: 0, recurrences: 1, oldestRecurrenceId: recurrence.id }
      expect(yield* changes()).toEqual([["rui", last], ...known])
    }))

  test("records whether an erasure kept the references", () =>
    Effect.gen(function* () {
      const payers = yield* PayerData
      const ana = cpf("52998224725")
      const { id } = yield* insertCharge({ payer: { name: "Ana", taxId: ana } })
      yield* payers.erase(aCnpj, ana, fixtureNow, { keepReference: true }).pipe(as("ana"))
      const change = { kind: "payerErased", charges: 1, oldestChargeId: id, keepReference: true }
      expect(yield* changes()).toEqual([["ana", change]])
    }))

  test("separates the records of companies", () =>
    Effect.gen(function* () {
      const own = yield* resolvedBy("ana", aCnpj)
      const others = yield* resolvedBy("ana", anotherCnpj)
      expect(yield* changes({}, aCnpj)).toEqual([["ana", own]])
      expect(yield* changes({ by: "ana" }, anotherCnpj)).toEqual([["ana", others]])
    }))

  test("records the storable part of any actor's name, and no actor for an empty name", () =>
    Effect.gen(function* () {
      for (const actor of ["", "ana\u202exof", "a\0b\ud800c", `${"x".repeat(199)}🦜`]) yield* resolvedBy(actor)
      const actors = (yield* records()).map(({ by }) => by)
      expect(actors).toEqual([`${"x".repeat(199)}\ufffd`, "a\ufffdb\ufffdc", "ana\ufffdxof", undefined])
    }))
}
