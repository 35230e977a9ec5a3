import { Actor, AuditLog } from "@pixcharge/core"
import type { Recurrence, RequestedRecurrence } from "@pixcharge/core/recurrence"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { aChargeId, cents, day, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj, cpf } from "../../fixtures/Companies.ts"
import { aRecurrence } from "../../fixtures/Recurrences.ts"
import { type StoreHooks, storeTests, type StoreTests, type TestedPorts } from "../StoreDriver.ts"
import { allPages, endRecurrence, findRecurrence, firstCheckAt, insertApproved, insertRecurrence } from "../commits.ts"
import { checkCases } from "./checkCases.ts"
import { commitCases, unstorableCases } from "./commitCases.ts"
import { cycleCases } from "./cycleCases.ts"

/** Tests of a store's `RecurrenceStore`. */
export const recurrenceStoreSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: RecurrenceStore`, () => {
    const tests = storeTests(layer, hooks)
    offerCases(tests)
    commitCases(tests)
    cycleCases(tests)
    checkCases(tests)
    unstorableCases(tests)
  })
}

const audit = (recurrence: Recurrence) => ({ kind: "recurrenceOffered", recurrenceId: recurrence.id }) as const

const insertAudited = (recurrence: RequestedRecurrence) =>
  Effect.flatMap(RecurrenceStore, (store) => store.insert(recurrence, firstCheckAt, audit(recurrence))).pipe(
    Effect.provideService(Actor, "ana"),
  )

const recorded = Effect.flatMap(AuditLog, (log) =>
  Effect.map(log.list(aCnpj, {}, { limit: 100 }), ({ items }) => items.map(({ by, change }) => [by, change])),
)

/** Terms that together use every optional field and every journey. */
const variants: ReadonlyArray<Partial<RequestedRecurrence>> = [
  {},
  { title: 'Aulas "de" \\ 🦜', contract: "Ç 12/7", amountCents: cents(4_990), retries: "none" },
  { floorCents: cents(1), period: "weekly", endDate: day("2028-02-29") },
  { journey: { by: "bank", ispb: "12345678", branch: "0001", account: "98765-4", until: fixtureNow + 86_400_001 } },
  { journey: { by: "bank", ispb: "ABCD5678", account: "1", until: fixtureNow + 1 } },
  { journey: { by: "payment", chargeId: aChargeId() } },
  { journey: { by: "payment", chargeId: aChargeId(), dueDate: day("2026-06-30") }, period: "halfYearly" },
  {
    payer: { name: 'Joana d\'Arc "Jô" \\ 🦜', taxId: alphanumericCnpj },
    skipped: [[2, 4]],
    retryOn: [2],
    announcedCycle: 1,
    nextCycle: 2,
  },
]

export const offerCases = ({ test }: StoreTests): void => {
  test("finds a new recurrence unchanged, but not for another company", () =>
    Effect.gen(function* () {
      for (const overrides of variants) {
        const recurrence = yield* insertRecurrence(overrides)
        expect(yield* findRecurrence(recurrence)).toEqual(recurrence)
        expect(yield* findRecurrence({ ...recurrence, issuer: anotherCnpj })).toBeUndefined()
      }
      expect(yield* findRecurrence(aRecurrence())).toBeUndefined()
    }))

  test("returns the recurrence of a taken id unchanged, and lets another company use the id", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const approved = yield* insertApproved()
      const other = aRecurrence({ id: approved.id, contract: "another", title: "Outra" })
      expect(yield* store.insert(other, 1)).toEqual({ _tag: "Exists", recurrence: approved })
      expect(yield* findRecurrence(approved)).toEqual(approved)
      const theirs = yield* insertRecurrence({ id: approved.id, issuer: anotherCnpj })
      expect(yield* findRecurrence(theirs)).toEqual(theirs)
    }))

  test("allows one recurrence per contract within a company", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const known = yield* insertRecurrence({ contract: "mesa-12" })
      const other = aRecurrence({ contract: "mesa-12" })
      expect(yield* store.insert(other, 1)).toEqual({ _tag: "ContractTaken" })
      expect(yield* findRecurrence(other)).toBeUndefined()
      // The id takes precedence over the contract: a repeated offer returns its first recurrence.
      expect(yield* store.insert(known, 1)).toEqual({ _tag: "Exists", recurrence: known })
      yield* insertRecurrence({ contract: "Mesa-12" })
      yield* insertRecurrence({ contract: "mesa-12", issuer: anotherCnpj })
    }))

  test("finds the bank ids of other companies' recurrences by their contract, even of ended ones", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const contract = "mesa-12"
      yield* insertApproved({ contract })
      yield* insertRecurrence({ contract, issuer: alphanumericCnpj })
      expect(yield* store.bankIdsOfOthers(aCnpj, contract)).toEqual([])
      const theirs = yield* insertApproved({ contract, issuer: anotherCnpj })
      yield* insertApproved({ contract: "Mesa-12", issuer: anotherCnpj })
      expect(yield* store.bankIdsOfOthers(aCnpj, contract)).toEqual([theirs.bankId])
      yield* endRecurrence(theirs)
      expect(yield* store.bankIdsOfOthers(aCnpj, contract)).toEqual([theirs.bankId])
    }))

  test("finds whether a recurrence that hasn't ended is offered with a charge of the company", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const [chargeId, dated, unused] = [aChargeId(), aChargeId(), aChargeId()]
      yield* insertRecurrence()
      yield* insertApproved({ journey: { by: "payment", chargeId: dated, dueDate: day("2026-06-30") } })
      const approved = yield* insertApproved({ journey: { by: "payment", chargeId } })
      const isOffered = () => Effect.forEach([chargeId, dated, unused], (id) => store.isOffered(aCnpj, id))
      expect(yield* isOffered()).toEqual([true, true, false])
      expect(yield* store.isOffered(anotherCnpj, chargeId)).toBe(false)
      yield* endRecurrence(approved)
      expect(yield* isOffered()).toEqual([false, true, false])
      yield* insertRecurrence({ journey: { by: "payment", chargeId } })
      expect(yield* isOffered()).toEqual([true, true, false])
    }))

  test("reports one of many concurrent insertions of a recurrence as new", () =>
    Effect.gen(function* () {
      const recurrence = aRecurrence()
      const insertions = yield* Effect.all(
        Array.from({ length: 12 }, () => insertAudited(recurrence)),
        { concurrency: "unbounded" },
      )
      expect(insertions.filter(({ _tag }) => _tag === "Inserted")).toHaveLength(1)
      expect(insertions.filter(({ _tag }) => _tag === "Exists")).toHaveLength(11)
      expect(yield* recorded).toEqual([["ana", audit(recurrence)]])
    }))

  test("records an insertion in the audit log only if the recurrence was new", () =>
    Effect.gen(function* () {
      const recurrence = aRecurrence()
      yield* insertAudited(recurrence)
      yield* insertAudited(recurrence)
      yield* insertAudited(aRecurrence({ contract: recurrence.contract }))
      yield* insertRecurrence()
      expect(yield* recorded).toEqual([["ana", audit(recurrence)]])
    }))

  test("lists recurrences by page, the newest first, by state and by payer", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const bruno = { name: "Bruno", taxId: cpf("11144477735") }
      const made: Array<Recurrence> = []
      // Three recurrences share each time, so some pages end between them.
      for (let index = 0; index < 7; index++) {
        made.push(yield* insertRecurrence({ createdAt: fixtureNow + Math.floor(index / 3) }))
      }
      const approved = yield* insertApproved({ createdAt: fixtureNow + 9, payer: bruno })
      const requested = yield* insertRecurrence({ createdAt: fixtureNow + 8, payer: bruno })
      yield* insertRecurrence({ issuer: anotherCnpj, payer: bruno })
      const list = (filter: Parameters<typeof store.list>[1], limit = 2) =>
        Effect.map(
          allPages((page) => store.list(aCnpj, filter, page), limit),
          (pages) => pages.flat(),
        )
      const byAge = made.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      expect(yield* list({})).toEqual([approved, requested, ...byAge])
      expect(yield* list({ state: "Requested" })).toEqual([requested, ...byAge])
      expect(yield* list({ payer: bruno.taxId }, 1)).toEqual([approved, requested])
      expect(yield* list({ payer: bruno.taxId, state: "Approved" })).toEqual([approved])
      expect(yield* list({ state: "Ended" })).toEqual([])
      expect(yield* list({ payer: alphanumericCnpj })).toEqual([])
    }))

  test("finds recurrences by their payer's tax id or name, the beginning of their id, and their contract", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const maria = { name: "Maria José dos Santos", taxId: cpf("11144477735") }
      const older = yield* insertRecurrence({ payer: maria, contract: "Plano 12" })
      const newer = yield* insertApproved({ payer: maria, createdAt: fixtureNow + 9 })
      const other = yield* insertRecurrence()
      yield* insertRecurrence({ payer: maria, issuer: anotherCnpj })
      const find = (text: string, filter: Parameters<typeof store.list>[1] = {}) =>
        Effect.map(
          allPages((page) => store.list(aCnpj, { ...filter, text }, page), 1),
          (pages) => pages.flat(),
        )
      for (const text of ["maria", "JOSE sant", " santos ", "111.444.777-35", "11144477735"]) {
        expect(yield* find(text), text).toEqual([newer, older])
      }
      expect(yield* find("maria", { state: "Approved" })).toEqual([newer])
      expect(yield* find(other.id.slice(0, 13))).toEqual([other])
      expect(yield* find(other.contract)).toEqual([other])
      expect(yield* find("Plano 12")).toEqual([older])
      for (const text of ["santos maria", "Plano 1", "aria", "m%", "529.982.247-26"]) {
        expect(yield* find(text), text).toEqual([])
      }
    }))
}
