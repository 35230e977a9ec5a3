import { Actor, AuditLog, ChargeLists, type ChargeSearch, ChargeStore, DueChecks } from "@pixcharge/core"
import type { PendingCharge, TermsRow } from "@pixcharge/core/charges"
import { parseFees } from "@pixcharge/core/money"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect } from "vitest"
import { aChange, aPaidCharge, cents, day, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj, cpf } from "../../fixtures/Companies.ts"
import { aPayment } from "../../fixtures/Payments.ts"
import { aChangedCharge, aFirstRow, aRequestedRow } from "../../fixtures/TermsRows.ts"
import { commit, find, insertCharge } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const whole = { from: 0, until: fixtureNow * 2 }

/** The move that adds or replaces rows. */
const changeByRows = (charge: PendingCharge, ...rows: ReadonlyArray<TermsRow>) => {
  const next = aChangedCharge(charge, ...rows)
  return { next, change: aChange(charge, { next, termsRows: rows }) }
}

const writeRows = Effect.fnUntraced(function* (charge: PendingCharge, ...rows: ReadonlyArray<TermsRow>) {
  const { next, change } = changeByRows(charge, ...rows)
  expect((yield* commit(change)).moved).toBe(true)
  return next
})

/** Requests a charge's first change. */
const requestRow = (charge: PendingCharge, overrides: Partial<TermsRow> = {}) =>
  writeRows(charge, aFirstRow(charge), aRequestedRow(charge, overrides))

const searched = (search: Partial<ChargeSearch>) =>
  Effect.flatMap(ChargeLists, (lists) =>
    Effect.map(lists.charges(aCnpj, { ...whole, ...search }, { limit: 10 }), ({ items }) => items.map(({ id }) => id)),
  )

const issued = {
  dueDate: day("2026-06-10"),
  payer: { name: "Ana Souza", taxId: cpf("52998224725") },
  reference: "Pedido 7",
  messageToPayer: "Olá, Ana",
  payableUntil: fixtureNow + 600_000,
} as const

/** Terms that differ from `issued` in each field. */
const changed: Partial<TermsRow> = {
  amountCents: cents(7_301),
  dueDate: day("2026-06-20"),
  payer: {
    name: 'Bia "Bê" Lima \\ 🦜',
    taxId: cpf("11144477735"),
    email: "bia@example.com",
    address: { street: "Rua 7", city: "São Luís", state: "MA", postalCode: "65010000" },
  },
  messageToPayer: "Olá, Bia",
  additionalInfo: [{ name: "Aluna", value: "Nina" }],
  requested: { fees: { fine: "none" }, graceDays: 3 },
  reference: 'Pedido "8" \\ 🦜',
  metadata: { turma: "5º B" },
  fees: Result.getOrThrow(parseFees({ fine: { kind: "fixed", amountCents: 5 } })),
  closedDays: { from: day("2026-06-10"), until: day("2026-06-20"), closed: [day("2026-06-12")] },
  brCode: "000201 changed",
  payableUntil: fixtureNow + 900_001,
  watchUntil: fixtureNow + 99_000_002,
}

export const termsRowCases = ({ test }: StoreTests): void => {
  test("writes rows of terms with the move, and finds them with their charge by every call", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge({ ...issued, checkAt: fixtureNow + 5 })
      const { issuer, id, version } = charge
      const next = yield* requestRow(charge, { ...changed, revision: 0 })
      expect(next.amountCents).toBe(charge.amountCents)
      expect(yield* find(charge)).toEqual(next)
      const [store, lists, checks] = [yield* ChargeStore, yield* ChargeLists, yield* DueChecks]
      expect(yield* store.insert(charge)).toEqual({ _tag: "Exists", charge: next })
      expect(yield* store.changed([{ issuer, id, version }])).toEqual([next])
      expect((yield* lists.charges(aCnpj, whole, { limit: 10 })).items).toEqual([next])
      const due = fixtureNow + 6
      const claimed = yield* checks.claimCharges({ now: due, limit: 1, leaseMs: 1_000 })
      expect(claimed).toEqual([{ ...next, checkAt: due + 1_000 }])
    }))

  test("gives the charge each of a row's terms once the row is in force", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge(issued)
      const row = aRequestedRow(charge, { ...changed, revision: 0 })
      const requested = yield* requestRow(charge, row)
      const inForceAt = requested.updatedAt + 7
      const next = yield* writeRows(requested, { ...row, inForceAt, revision: 1, brCode: "000201 confirmed" })
      expect(next).toMatchObject({ ...changed, brCode: "000201 confirmed" })
      expect(yield* find(charge)).toEqual(next)
      expect((yield* find(charge))?.termsRows?.[0]).toEqual(aFirstRow(charge))
      const back = yield* writeRows(next, { ...aFirstRow(charge), number: 3, by: "bank", requestedAt: 1, inForceAt: 1 })
      expect(back).toMatchObject({ ...issued, amountCents: charge.amountCents })
      expect(yield* find(charge)).toEqual(back)
    }))

  test("replaces only rows that the move brings, and keeps the charge's terms after a refusal", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const row = aRequestedRow(charge)
      const requested = yield* requestRow(charge)
      const refused = { ...row, refusedAt: requested.updatedAt + 1, rejection: 'valor "inválido" \\ 🦜' }
      const { next, change } = changeByRows(requested, refused)
      const forged = { ...next, termsRows: [{ ...aFirstRow(charge), amountCents: cents(1) }, refused] }
      yield* commit({ ...change, next: forged })
      expect(yield* find(charge)).toEqual(next)
      let last = next
      for (let number = 3; number < 13; number++) {
        last = yield* writeRows(last, aRequestedRow(last, { number, key: `change-${number}`, refusedAt: 1 }))
      }
      expect(yield* find(charge)).toEqual(last)
      expect(last.termsRows?.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    }))

  test("keeps rows and terms while the charge moves on", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge(issued)
      const requested = yield* requestRow(charge)
      const moved = { ...requested, version: requested.version + 1, amountCents: cents(1), termsRows: [] }
      yield* commit(aChange(requested, { next: moved }))
      const kept = { ...requested, version: requested.version + 1 }
      expect(yield* find(charge)).toEqual(kept)
      const payment = aPayment(kept)
      const next = aPaidCharge(kept, payment)
      expect((yield* commit(aChange(kept, { next, payments: [payment] }))).moved).toBe(true)
      expect(yield* find(charge)).toEqual(next)
    }))

  test("writes neither rows nor terms at a stale version, though it records the payments", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const first = aFirstRow(charge)
      const changes = [1, 2].map((n) => {
        const row = aRequestedRow(charge, { key: `change-${n}`, inForceAt: 1, reference: `Pedido ${n}` })
        return changeByRows(charge, first, row)
      })
      const answers = yield* Effect.all(
        changes.map(({ change }) => commit(change)),
        { concurrency: "unbounded" },
      )
      expect(answers.filter(({ moved }) => moved)).toHaveLength(1)
      const [winner, loser] = answers[0]?.moved === true ? [1, 2] : [2, 1]
      const { next } = changes[winner - 1] ?? {}
      expect(yield* find(charge)).toEqual(next)
      expect(yield* searched({ text: `Pedido ${winner}` })).toEqual([charge.id])
      expect(yield* searched({ text: `Pedido ${loser}` })).toEqual([])
      const payment = aPayment(charge)
      const { change } = changeByRows(charge, first, aRequestedRow(charge, { inForceAt: 1 }))
      const late = yield* commit({ ...change, payments: [payment] })
      expect(late).toEqual({ moved: false, freshPayments: [payment.endToEndId], foreignPayments: [] })
      expect(yield* find(charge)).toEqual(next)
    }))

  test("writes a repeated commit once, with its actor in the audit log", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const { next, change } = changeByRows(charge, aFirstRow(charge), aRequestedRow(charge))
      const audit = { kind: "chargeCancelled", chargeId: charge.id } as const
      const byAna = Effect.provideService(commit({ ...change, audit }), Actor, "ana")
      expect((yield* byAna).moved).toBe(true)
      expect((yield* byAna).moved).toBe(false)
      expect(yield* find(charge)).toEqual(next)
      const { items } = yield* (yield* AuditLog).list(aCnpj, {}, { limit: 10 })
      expect(items.map(({ by, change: what }) => [by, what])).toEqual([["ana", audit]])
    }))

  test("searches and lists a charge by its terms in force", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge(issued)
      const ofTerms = (terms: Partial<TermsRow>): ReadonlyArray<Partial<ChargeSearch>> => [
        { text: terms.payer?.name.slice(0, 3) ?? "" },
        { text: terms.payer?.taxId ?? "" },
        { text: terms.reference ?? "" },
        { amount: { minCents: terms.amountCents ?? 0, maxCents: terms.amountCents ?? 0 } },
        { due: { from: terms.dueDate ?? issued.dueDate, until: terms.dueDate ?? issued.dueDate } },
        { status: { is: "expired", at: (terms.payableUntil ?? 0) + 1 } },
      ]
      const [before, after] = [ofTerms({ ...issued, amountCents: charge.amountCents }), ofTerms(changed)]
      const row = aRequestedRow(charge, changed)
      const requested = yield* requestRow(charge, changed)
      for (const search of before) expect(yield* searched(search), JSON.stringify(search)).toEqual([charge.id])
      for (const search of after.slice(0, 5)) expect(yield* searched(search), JSON.stringify(search)).toEqual([])
      yield* writeRows(requested, { ...row, inForceAt: requested.updatedAt + 1 })
      for (const search of before) expect(yield* searched(search), JSON.stringify(search)).toEqual([])
      for (const search of after) expect(yield* searched(search), JSON.stringify(search)).toEqual([charge.id])
    }))

  test("separates the rows of two companies' charges under one id", () =>
    Effect.gen(function* () {
      const ours = yield* insertCharge()
      const theirs = yield* insertCharge({ issuer: anotherCnpj, id: ours.id })
      const untouched = yield* insertCharge()
      const next = yield* requestRow(ours, { inForceAt: 1, reference: "Pedido 9" })
      expect(yield* find(ours)).toEqual(next)
      expect(yield* find(theirs)).toEqual(theirs)
      const changes = [
        changeByRows(theirs, aFirstRow(theirs), aRequestedRow(theirs, { amountCents: cents(3) })),
        changeByRows(untouched, aFirstRow(untouched), aRequestedRow(untouched, { amountCents: cents(5) })),
      ]
      yield* Effect.all(
        changes.map(({ change }) => commit(change)),
        { concurrency: "unbounded" },
      )
      for (const one of changes) expect(yield* find(one.next)).toEqual(one.next)
      expect(yield* find(ours)).toEqual(next)
    }))
}
