import { PGlite } from "@electric-sql/pglite"
import { ChargeStore, type StorePorts } from "@pixcharge/core"
import { decodeBrCode } from "@pixcharge/core/plain"
import { type Charge, isCycleCharge, type PendingCharge } from "@pixcharge/core/charges"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import { toPlainCharge } from "@pixcharge/embed"
import { memoryStore } from "@pixcharge/store-memory"
import { pgliteConnection, postgresStore } from "@pixcharge/store-postgres"
import * as made from "@pixcharge/testing/effect"
import { aChange, anApprovedRecurrence, aRecurrence, arbitrary } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import fc from "fast-check"
import { randomUUID } from "node:crypto"
import { afterAll, describe, expect, it } from "vitest"

const createdAt = Date.UTC(2026, 5, 3, 15)
const dayMs = 86_400_000

const partial = { requiredKeys: [], noNullPrototype: true } satisfies fc.RecordConstraints<never>

const cents = fc.oneof(fc.constantFrom(1, 1_990), fc.integer({ min: 1, max: 1e9 }))
const moment = (from: number, days: number) => fc.integer({ min: from, max: from + days * dayMs })

const company = fc.record(
  {
    name: fc.constantFrom("Café do Zé", "Padaria"),
    graceDays: fc.integer({ min: 1, max: 60 }),
    fees: fc.constantFrom(
      { fine: { kind: "percent", basisPoints: 200 } },
      { interest: { kind: "percentPerMonth", days: "calendar", basisPoints: 100 } },
    ),
    localHolidays: fc.constant(["2026-06-24"]),
  },
  partial,
)

/** An id in upper or lower case. It is new for each sample, because a store accepts each id once. */
const id = fc.boolean().map((isUpper) => (isUpper ? randomUUID().toUpperCase() : randomUUID()))

const request: fc.Arbitrary<made.RequestFacts> = fc
  .tuple(arbitrary.chargeRequest, id, cents, fc.record({ company }, partial))
  .map(([{ fees, ...asked }, given, amountCents, facts]) => ({
    ...asked,
    // Other fees can reach the amount, or exceed the largest payment.
    ...(fees !== undefined && { fees: { fine: { kind: "percent", basisPoints: 200 }, interest: "none" } as const }),
    id: given,
    amountCents,
    ...facts,
    createdAt,
  }))

const cycle: fc.Arbitrary<made.CycleFacts> = fc.record({
  recurrence: fc.record(
    {
      id,
      period: fc.constantFrom("weekly", "monthly", "yearly"),
      startDate: arbitrary.dueDate,
      retries: fc.constantFrom("none", "threeInSeven"),
      payer: arbitrary.payer,
    },
    partial,
  ),
  cycle: fc.integer({ min: 1, max: 24 }),
  amountCents: cents,
})

const any = fc.oneof<[typeof request, typeof cycle]>(request, cycle)

const paid = fc.tuple(
  request,
  fc.record(
    {
      amountCents: cents,
      paidAt: moment(createdAt, 900),
      endToEndId: id.map((text) => text.replaceAll("-", "")),
    },
    partial,
  ),
)

const paidFacts = fc.oneof(
  cycle,
  paid.map(([facts, payment]) => ({ ...facts, payment })),
)

const refundedFacts = fc.oneof(
  cycle,
  fc
    .tuple(paid, fc.integer({ min: 1_000, max: 80 * dayMs }), fc.constantFrom(undefined, "Sem estoque"))
    .map(([[facts, payment], after, reason]) => {
      const paidAt = payment.paidAt ?? createdAt + 60_000
      const requestedAt = paidAt + after
      const refund = { requestedAt, ...(reason !== undefined && { reason }) }
      return { ...facts, payment: { ...payment, paidAt }, refund }
    }),
)

const makers: Record<string, fc.Arbitrary<Charge>> = {
  aCharge: any.map(made.aCharge),
  anExpiredCharge: any.map(made.anExpiredCharge),
  aFailedCharge: cycle.map(made.aFailedCharge),
  aCancelledCharge: any.map((facts) => made.aCancelledCharge(facts)),
  aPaidCharge: paidFacts.map(made.aPaidCharge),
  aRefundingCharge: refundedFacts.map(made.aRefundingCharge),
  aRefundedCharge: refundedFacts.map((facts) => made.aRefundedCharge(facts)),
}

/** The unpaid charge that was stored before its last move. */
const firstOf = (charge: Charge): PendingCharge => {
  const { version, ...rest } = charge
  if (charge._tag === "Pending") return charge
  const own = new Set(["payment", "refund", "refundedAt", "cancelledAt"])
  const terms = Object.fromEntries(Object.entries(rest).filter(([name]) => !own.has(name)))
  return { ...(terms as unknown as PendingCharge), _tag: "Pending", version: version - 1, returns: [] }
}

const insert = Effect.fnUntraced(function* (charge: PendingCharge) {
  if (!isCycleCharge(charge)) return yield* (yield* ChargeStore).insert(charge)
  const { issuer, cycle: of } = charge
  const requested = aRecurrence({ issuer, id: of.recurrenceId, contract: of.contract })
  const recurrences = yield* RecurrenceStore
  yield* recurrences.insert(requested, createdAt)
  const next = anApprovedRecurrence(requested)
  return yield* recurrences.commit({ issuer, id: next.id, expectedVersion: 1, next, charge, deliveries: [] })
})

const throughStore = Effect.fnUntraced(function* (charge: Charge) {
  const first = firstOf(charge)
  const store = yield* ChargeStore
  yield* insert(first)
  if (first !== charge) {
    const payments = "payment" in charge ? [charge.payment] : []
    const change = aChange(first, { next: charge, payments, returns: charge.returns })
    expect(yield* store.commit(change)).toMatchObject({ moved: true })
  }
  return yield* store.find(charge.issuer, charge.id)
})

const pglite = await PGlite.create()
afterAll(() => pglite.close())

const stores: ReadonlyArray<readonly [string, Layer.Layer<StorePorts, unknown>]> = [
  ["memory", memoryStore()],
  ["PGlite", postgresStore({ db: pgliteConnection(pglite) })],
]

describe.each(stores)("on %s", (_, store) => {
  it.each(Object.entries(makers))(
    "%s makes charges that the store returns unchanged",
    { timeout: 60_000 },
    (_name, charges) => {
      const samples = fc.sample(charges, 25)
      return Effect.runPromise(
        Effect.forEach(
          samples,
          (charge) => Effect.map(throughStore(charge), (found) => expect(found).toEqual(charge)),
          {
            discard: true,
          },
        ).pipe(Effect.provide(store)),
      )
    },
  )
})

const isIso = (name: string): boolean => name.endsWith("Iso")

/** A plain charge without its added fields. */
const withoutIso = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutIso)
  if (typeof value !== "object" || value === null) return value
  for (const [name, text] of Object.entries(value)) {
    if (isIso(name)) expect(Date.parse(text as string)).toBe(Reflect.get(value, name.slice(0, -3)))
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isIso(name))
      .map(([name, field]) => [name, withoutIso(field)]),
  )
}

it.each(Object.entries(makers))("%s makes charges with consistent facts, even in the plain form", (_, charges) => {
  fc.assert(
    fc.property(charges, (charge) => {
      const { status: _status, refundableCents: _rest, ...plain } = toPlainCharge(charge, charge.updatedAt)
      expect(withoutIso(JSON.parse(JSON.stringify(plain)))).toEqual(charge)

      const { brCode, createdAt: begun, payableUntil, watchUntil } = charge
      if (brCode !== undefined) {
        const { code } = decodeBrCode(brCode)
        expect(code).toMatchObject({ _tag: "Dynamic", merchantCity: "Recife", pointOfInitiation: "singleUse" })
      }
      expect(brCode === undefined).toBe(charge.cycle !== undefined)
      const moments = [begun, payableUntil, watchUntil]
      expect(moments).toEqual(moments.toSorted((a, b) => a - b))
      if ("cancelledAt" in charge) expect(charge.cancelledAt).toBe(charge.updatedAt)
      if ("payment" in charge) {
        const { paidAt, recordedAt, late, chargeId, txid } = charge.payment
        expect({ late, chargeId, txid }).toEqual({
          late: paidAt > payableUntil,
          chargeId: charge.id,
          txid: charge.txid,
        })
        const later = "refund" in charge ? [charge.refund?.requestedAt ?? Number.NaN] : []
        const end = "refundedAt" in charge ? [charge.refundedAt] : []
        const order = [begun, paidAt, recordedAt, ...later, ...end]
        expect(order).toEqual(order.toSorted((a, b) => a - b))
      }
      if (charge._tag === "Refunded") {
        expect(charge.returns.map(({ amountCents }) => amountCents)).toEqual([charge.payment.amountCents])
      }
    }),
    { numRuns: 60 },
  )
})
