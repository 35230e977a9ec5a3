import { Actor, Bookkeeping, ChargeStore, type Change, PixCharges } from "@pixcharge/core"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import type { Charge, ChargeChange, PendingCharge } from "@pixcharge/core/charges"
import { aNotice, anEndToEndId, anotherCnpj, aRecurrence, cents, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import {
  aReconciler,
  anIssuedCharge,
  aRequest,
  exceptions,
  failureTag,
  issue,
  pay,
  registerCompany,
  scenario,
  type World,
} from "../World.ts"

const change = ({ issuer, id }: Charge, terms: Partial<ChargeChange>) =>
  Effect.flatMap(PixCharges, (charges) => charges.change(issuer, id, { key: "a", ...terms }))

const find = ({ issuer, id }: Charge) => Effect.flatMap(PixCharges, (charges) => charges.find(issuer, id))

/** The states of a charge's terms, with their cents. */
const terms = ({ termsRows }: Charge) =>
  (termsRows ?? []).map(({ amountCents, inForceAt, refusedAt, by }) => {
    const state = refusedAt === undefined ? "requested" : "refused"
    return `${amountCents} ${inForceAt === undefined ? state : "in force"}${by === "bank" ? " by bank" : ""}`
  })

const count = (world: World, operation: string) => world.bank.calls.filter((one) => one === operation).length

describe("a change", () => {
  scenario("is in force once the bank has it", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge({ amountCents: 1000 })
      const { charge, number, isNewCode } = yield* change(issued, { amountCents: 1500, messageToPayer: "Com frete" })
      expect([charge.amountCents, number, isNewCode]).toEqual([1500, 2, false])
      expect(world.bank.view(issued).terms).toMatchObject({ amountCents: 1500, revision: 1 })
      expect([...world.bank.orders.values()]).toMatchObject([{ amountCents: 1500, messageToPayer: "Com frete" }])
      expect(yield* find(issued)).toMatchObject({ amountCents: 1500, messageToPayer: "Com frete" })
      expect(terms(charge)).toEqual(["1000 in force", "1500 in force"])
    }),
  )

  scenario("is made once under its key", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge({ amountCents: 1000 })
      const answers = yield* Effect.all(
        [change(issued, { amountCents: 1500 }), change(issued, { amountCents: 1500 })],
        {
          concurrency: "unbounded",
        },
      )
      expect(answers.map(({ number }) => number)).toEqual([2, 2])
      const calls = world.bank.calls.length
      yield* change(issued, { key: "b", amountCents: 900 })
      yield* TestClock.adjust("1 day")
      expect((yield* change(issued, { amountCents: 1500 })).charge).toMatchObject({ amountCents: 900 })
      expect(world.bank.calls.length).toBe(calls + 3)
      expect(yield* failureTag(change(issued, { amountCents: 1501 }))).toBe("ChangeConflict")
    }),
  )

  scenario("leaves the charge as it was if the bank refuses it", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge({ amountCents: 1000 })
      world.bank.fail("change", "rejected")
      expect(yield* failureTag(change(issued, { amountCents: 1500 }))).toBe("ChangeRejected")
      expect(yield* failureTag(change(issued, { amountCents: 1500 }))).toBe("ChangeRejected")
      expect(count(world, "change")).toBe(1)
      const kept = yield* find(issued)
      expect(kept.amountCents).toBe(1000)
      expect(terms(kept)).toEqual(["1000 in force", "1500 refused"])
      const { charge } = yield* pay(world, kept as PendingCharge, { amountCents: cents(1500) })
      expect(charge).toMatchObject({ payment: { otherAmount: true } })
    }),
  )

  for (const fault of ["unreachable", "answerLost"] as const) {
    scenario(`without an answer is ended by the charge's next check (${fault})`, (world) =>
      Effect.gen(function* () {
        const { round } = yield* aReconciler
        const issued = yield* anIssuedCharge({ amountCents: 1000, payableForSeconds: 3600 })
        world.bank.fail("change", fault)
        expect(yield* failureTag(change(issued, { amountCents: 1500 }))).toBe("ProcessorUnavailable")
        expect(yield* failureTag(change(issued, { key: "b", amountCents: 700 }))).toBe("ChangeUnderWay")
        expect((yield* find(issued)).amountCents).toBe(1000)
        yield* TestClock.adjust("61 seconds")
        yield* round
        expect(terms(yield* find(issued))).toEqual(["1000 in force", "1500 in force"])
        expect(world.bank.view(issued).terms).toMatchObject({ amountCents: 1500 })
        expect(count(world, "change")).toBe(fault === "unreachable" ? 2 : 1)
        expect((yield* change(issued, { amountCents: 1500 })).number).toBe(2)
      }),
    )

    scenario(`without an answer is carried on by the same call (${fault})`, (world) =>
      Effect.gen(function* () {
        const issued = yield* anIssuedCharge({ amountCents: 1000 })
        world.bank.fail("change", fault)
        yield* failureTag(change(issued, { amountCents: 1500 }))
        expect((yield* change(issued, { amountCents: 1500 })).charge.amountCents).toBe(1500)
        expect(terms(yield* find(issued))).toEqual(["1000 in force", "1500 in force"])
      }),
    )
  }

  scenario("isn't refused by a bank that refuses the credentials", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge({ amountCents: 1000 })
      world.bank.fail("change", "unauthorized")
      expect(yield* failureTag(change(issued, { amountCents: 1500 }))).toBe("ProcessorRejected")
      expect(terms(yield* find(issued))).toEqual(["1000 in force", "1500 requested"])
      expect((yield* change(issued, { amountCents: 1500 })).number).toBe(2)
    }),
  )

  scenario("without an answer ends with the charge", (world) =>
    Effect.gen(function* () {
      const tags: Array<string> = []
      for (const end of ["paid", "cancelled", "expired"]) {
        const issued = yield* anIssuedCharge({ amountCents: 1000 })
        world.bank.fail("change", "unreachable")
        yield* failureTag(change(issued, { amountCents: 1500 }))
        if (end === "paid") yield* pay(world, issued)
        if (end === "cancelled") yield* (yield* PixCharges).cancel(issued.issuer, issued.id)
        if (end === "expired") yield* TestClock.adjust("11 minutes")
        tags.push(yield* failureTag(change(issued, { amountCents: 1500 })))
      }
      expect(tags).toEqual(["ChargeAlreadyPaid", "ChargeCancelled", "ChangeRejected"])
      expect(count(world, "change")).toBe(3)
    }),
  )

  scenario("that gives more time can be carried on after the earlier end", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge({ amountCents: 1000 })
      world.bank.fail("change", "answerLost")
      yield* failureTag(change(issued, { payableForSeconds: 3600 }))
      yield* TestClock.adjust("11 minutes")
      expect((yield* change(issued, { payableForSeconds: 3600 })).charge.payableUntil).toBe(fixtureNow + 3_600_000)
    }),
  )

  scenario("whose own end passed without an answer is refused, and another one can follow", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const issued = yield* anIssuedCharge({ payableForSeconds: 7200 })
      world.bank.fail("change", "unreachable", "unreachable", "unreachable")
      yield* failureTag(change(issued, { payableForSeconds: 120 }))
      yield* TestClock.adjust("3 minutes")
      yield* round
      expect(terms(yield* find(issued))).toEqual(["1990 in force", "1990 refused"])
      expect(yield* failureTag(change(issued, { payableForSeconds: 120 }))).toBe("ChangeRejected")
      world.bank.behave()
      expect((yield* change(issued, { key: "b", amountCents: 5 })).number).toBe(3)
    }),
  )

  scenario("to the same fees takes the registration's of today", (world) =>
    Effect.gen(function* () {
      const interest = (basisPoints: number) => ({ kind: "percentPerMonth", days: "calendar", basisPoints }) as const
      const fees = { fine: { kind: "fixed", amountCents: 200 } } as const
      yield* registerCompany({ fees: { interest: interest(100) } })
      const issued = yield* anIssuedCharge({ dueDate: "2026-06-30", fees })
      yield* registerCompany({ fees: { interest: interest(200) } })
      const { charge } = yield* change(issued, { fees })
      expect(charge.fees?.interest).toEqual(interest(200))
      expect(count(world, "change")).toBe(1)
    }),
  )

  scenario("whose request wasn't stored leaves the bank alone", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge({ amountCents: 1000 })
      world.storeFaults.set("commit", "unreachable")
      expect(yield* failureTag(change(issued, { amountCents: 1500 }))).toBe("StoreUnavailable")
      expect(count(world, "change")).toBe(0)
      expect(world.bank.view(issued).terms).toMatchObject({ amountCents: 1000 })
    }),
  )

  scenario("is found if its end was carried out but not stored", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const issued = yield* anIssuedCharge({ amountCents: 1000, payableForSeconds: 3600 })
      world.storeFaults.set("commit", "nextUnreachable")
      expect(yield* failureTag(change(issued, { amountCents: 1500 }))).toBe("StoreUnavailable")
      yield* TestClock.adjust("61 seconds")
      yield* round
      expect(terms(yield* find(issued))).toEqual(["1000 in force", "1500 in force"])
      expect(count(world, "change")).toBe(1)
    }),
  )

  scenario("keeps the fees and the promised days of the issue, and takes the company's with fees of its own", (world) =>
    Effect.gen(function* () {
      const fine = (amountCents: number) => ({ fine: { kind: "fixed", amountCents } }) as const
      yield* registerCompany({ fees: fine(100), graceDays: 7 })
      const issued = yield* anIssuedCharge({ dueDate: "2026-06-30" })
      yield* registerCompany({ fees: fine(999), graceDays: 2 })
      yield* change(issued, { dueDate: "2026-07-15" })
      const sent = () => [...world.bank.orders.values()][0]
      expect(sent()).toMatchObject({ dueDate: "2026-07-15", company: { fees: fine(100), graceDays: 7 } })
      yield* change(issued, { key: "b", fees: { interest: "none" }, graceDays: 1 })
      expect(sent()).toMatchObject({ dueDate: "2026-07-15", company: { fees: fine(999), graceDays: 1 } })
    }),
  )

  scenario("is refused for a paid, expired, cancelled or unknown charge before the bank hears of it", (world) =>
    Effect.gen(function* () {
      const paid = yield* anIssuedCharge()
      yield* pay(world, paid)
      const cancelled = yield* anIssuedCharge()
      yield* (yield* PixCharges).cancel(cancelled.issuer, cancelled.id)
      const expired = yield* anIssuedCharge({ payableForSeconds: 60 })
      yield* TestClock.adjust("61 seconds")
      const calls = world.bank.calls.length
      const tags = yield* Effect.forEach([paid, cancelled, expired, { ...paid, id: aRequest().id }], (charge) =>
        failureTag(change(charge, { amountCents: 5 })),
      )
      expect(tags).toEqual(["ChargeAlreadyPaid", "ChargeCancelled", "ChargeExpired", "ChargeNotFound"])
      expect(yield* failureTag(change(yield* anIssuedCharge(), { amountCents: 0 }))).toBe("InvalidChargeRequest")
      expect(world.bank.calls.length).toBe(calls + 1)
    }),
  )

  scenario("is refused if the bank has no changes, or a recurrence is offered with the charge", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      const store = yield* RecurrenceStore
      const journey = { by: "payment", chargeId: issued.id } as const
      yield* store.insert(aRecurrence({ issuer: issued.issuer, journey }), fixtureNow)
      expect(yield* Effect.flip(change(issued, { amountCents: 5 }))).toMatchObject({
        _tag: "ChargeNotChangeable",
        because: "offer",
      })
      world.bank.lacksChanges()
      expect(yield* Effect.flip(change(yield* anIssuedCharge(), { amountCents: 5 }))).toMatchObject({
        _tag: "ChargeNotChangeable",
        because: "bank",
      })
      expect(world.bank.calls.filter((call) => call !== "register")).toEqual(["changes", "changes"])
    }),
  )

  scenario("leaves another charge under the txid, and another company's, alone", (world) =>
    Effect.gen(function* () {
      for (const found of [{ isOfAnother: true }, { pixKey: anotherCnpj }]) {
        const issued = yield* anIssuedCharge({ amountCents: 1000 })
        Object.assign(world.bank.view(issued), found)
        expect(yield* failureTag(change(issued, { amountCents: 5 }))).toBe("ProcessorRejected")
        expect(yield* find(issued)).toMatchObject({ amountCents: 1000, version: 1 })
      }
      expect(count(world, "change")).toBe(0)
    }),
  )

  scenario("is refused for a charge that the bank has removed, which is checked at once", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const issued = yield* anIssuedCharge({ amountCents: 1000 })
      Object.assign(world.bank.view(issued), { status: "removed" })
      expect(yield* failureTag(change(issued, { amountCents: 5 }))).toBe("ProcessorRejected")
      expect(terms(yield* find(issued))).toEqual([])
      yield* TestClock.adjust("1 second")
      yield* round
      expect((yield* find(issued))._tag).toBe("Cancelled")
    }),
  )

  scenario("finds a payment that no notice has told of", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      world.bank.receive(issued, {
        issuer: issued.issuer,
        txid: issued.txid,
        endToEndId: anEndToEndId(),
        amountCents: issued.amountCents,
        paidAt: fixtureNow,
      })
      expect(yield* failureTag(change(issued, { amountCents: 5 }))).toBe("ChargeAlreadyPaid")
      expect((yield* find(issued))._tag).toBe("Paid")
      expect(count(world, "change")).toBe(0)
    }),
  )

  scenario("is audited under its actor, who is then of the portal", () =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      const { charge } = yield* Effect.provideService(change(issued, { amountCents: 5 }), Actor, "ana")
      expect(charge.termsRows).toMatchObject([{}, { by: "portal", key: "a" }])
    }),
  )

  scenario("needs no code of its own where the bank's stays", () =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      const { charge } = yield* change(issued, { amountCents: 5 })
      expect(charge.brCode).toBe(issued.brCode)
    }),
  )
})

describe("a repeated request", () => {
  scenario("is the same charge by its first terms and by those in force, with today's end", () =>
    Effect.gen(function* () {
      const request = aRequest({ amountCents: 1000 })
      const issued = (yield* issue(request)) as PendingCharge
      yield* change(issued, { amountCents: 1500, payableForSeconds: 3600 })
      for (const again of [request, { ...request, amountCents: cents(1500), payableForSeconds: 3600 }]) {
        const answer = yield* issue(again)
        expect(answer).toMatchObject({ amountCents: 1500, payableUntil: fixtureNow + 3_600_000 })
      }
      expect(yield* failureTag(issue({ ...request, amountCents: cents(7) }))).toBe("ChargeConflict")
    }),
  )
})

describe("a payment", () => {
  scenario("of an earlier amount isn't of another amount, nor late by an earlier end", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge({ amountCents: 1000, payableForSeconds: 3600 })
      yield* change(issued, { amountCents: 1500, payableForSeconds: 600 })
      const { charge } = yield* pay(world, issued, { amountCents: cents(1000), paidAt: fixtureNow + 3_000_000 })
      expect(charge).toMatchObject({ _tag: "Paid", payment: { otherAmount: false, late: false } })
    }),
  )

  scenario("of a change that restored books have forgotten isn't of another amount", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge({ amountCents: 1000 })
      for (const amountCents of [1500, 2000]) world.bank.changeTerms(issued, { amountCents: cents(amountCents) })
      const { charge } = yield* pay(world, issued, { amountCents: cents(1500) })
      expect(charge).toMatchObject({ _tag: "Paid", payment: { otherAmount: false } })
      expect(terms(charge)).toEqual(["1000 in force", "1500 in force by bank", "2000 in force by bank"])
    }),
  )

  scenario("of such a change is recorded if another payment settles the charge after its look-up", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge({ amountCents: 1000 })
      world.bank.changeTerms(issued, { amountCents: cents(1500) })
      const [books, store] = [yield* Bookkeeping, yield* ChargeStore]
      const [first, second] = [aNotice(issued), aNotice(issued, { amountCents: cents(1500) })]
      const { commit } = store
      const settleFirst = (given: Change) => {
        if (given.onlyAtVersion !== true) return commit(given)
        Object.assign(store, { commit })
        return Effect.andThen(books.recordReceivedPayment({ ...first, returns: [] }), commit(given))
      }
      Object.assign(store, { commit: settleFirst })
      yield* books.recordReceivedPayment({ ...second, returns: [] }, issued)
      expect(yield* find(issued)).toMatchObject({ payment: { endToEndId: first.endToEndId } })
      expect(yield* exceptions).toMatchObject([{ payment: { endToEndId: second.endToEndId } }])
    }),
  )

  scenario("of terms that the bank has changed back isn't of another amount", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge({ amountCents: 1000 })
      for (const amountCents of [1500, 1000]) world.bank.changeTerms(issued, { amountCents: cents(amountCents) })
      const { charge } = yield* pay(world, issued, { amountCents: cents(1500) })
      expect(charge).toMatchObject({ amountCents: 1000, payment: { otherAmount: false } })
    }),
  )

  scenario("of another amount is marked, with the amounts that the bank has shown", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge({ amountCents: 1000 })
      const { charge } = yield* pay(world, issued, { amountCents: cents(1500) })
      expect(charge).toMatchObject({ payment: { otherAmount: true } })
      expect(yield* exceptions).toEqual([])
    }),
  )
})

describe("terms that only the bank has", () => {
  scenario("are followed, never changed back", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const issued = yield* anIssuedCharge({ amountCents: 1000, payableForSeconds: 3600 })
      world.bank.changeTerms(issued, { amountCents: cents(1200), payableForSeconds: 7200 })
      yield* TestClock.adjust("11 minutes")
      yield* round
      expect(terms(yield* find(issued))).toEqual(["1000 in force", "1200 in force by bank"])
      expect(yield* find(issued)).toMatchObject({ amountCents: 1200, payableUntil: fixtureNow + 7_200_000 })
      expect(count(world, "change") + count(world, "cancel")).toBe(0)
    }),
  )

  scenario("end a change that restored books would send again over a newer one", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const issued = yield* anIssuedCharge({ amountCents: 1000, payableForSeconds: 3600 })
      world.bank.fail("change", "answerLost")
      yield* failureTag(change(issued, { amountCents: 1500 }))
      world.bank.changeTerms(issued, { amountCents: cents(2000), payableForSeconds: 3600 })
      yield* TestClock.adjust("2 minutes")
      yield* round
      const after = yield* find(issued)
      expect([after.amountCents, terms(after)]).toEqual([
        2000,
        ["1000 in force", "1500 in force", "2000 in force by bank"],
      ])
      expect(world.bank.view(issued).terms?.amountCents).toBe(2000)
      expect(count(world, "change")).toBe(1)
    }),
  )
})
