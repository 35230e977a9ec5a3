import { chargeTxid } from "@pixcharge/core/plain"
import { ChargeStore, Outbox, PixCharges } from "@pixcharge/core"
import type { LocalDate } from "@pixcharge/core/calendar"
import { parseFees } from "@pixcharge/core/money"
import {
  aCnpj,
  anEndToEndId,
  aNotice,
  anotherCnpj,
  aPendingCharge,
  cents,
  cnpj,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import {
  anIssuedCharge,
  aPaidOne,
  aRequest,
  registerCompany,
  deliveries,
  exceptions,
  issue,
  pay,
  scenario,
  failureTag,
  addEndpoint,
} from "../World.ts"

const confirm = (notice: Parameters<PixCharges["Service"]["confirmPayment"]>[0]) =>
  Effect.flatMap(PixCharges, (charges) => charges.confirmPayment(notice))

describe("a payment", () => {
  scenario("settles its charge and is published to every endpoint that lists `paid`", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid", "refunded")
      addEndpoint(world, "contabilidade", "refunded")
      addEndpoint(world, "parceiro", "paid")
      const issued = yield* anIssuedCharge()
      yield* TestClock.adjust("1 minute")
      const { notice, charge } = yield* pay(world, issued)
      const { checkAt: _, lookUpAt: __, ...rest } = issued
      expect(charge).toEqual({
        ...rest,
        _tag: "Paid",
        version: 2,
        updatedAt: fixtureNow + 60_000,
        payment: {
          ...notice,
          chargeId: issued.id,
          recordedAt: fixtureNow + 60_000,
          late: false,
          otherAmount: false,
        },
      })
      expect(yield* deliveries).toEqual(["loja paid waiting", "parceiro paid waiting"])
      expect(world.rings).toBe(1)
    }),
  )

  scenario("is published without the company's name if the company left the directory", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid")
      const charge = aPendingCharge({ issuer: cnpj("00000000000191") })
      yield* (yield* ChargeStore).insert(charge)
      yield* pay(world, charge)
      const { items } = yield* (yield* Outbox).list(charge.issuer, {}, { limit: 2 })
      expect(items).toMatchObject([{ event: { kind: "paid", companyName: "" } }])
    }),
  )

  scenario("wakes no dispatcher and reads no company if no endpoint takes the event", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "contabilidade", "refunded")
      const charge = yield* anIssuedCharge()
      world.companiesRead = 0
      yield* pay(world, charge)
      expect([yield* deliveries, world.rings, world.companiesRead]).toEqual([[], 0, 0])
    }),
  )

  scenario("settles the charge and is marked as late if it is paid after `payableUntil`", (world) =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      yield* TestClock.adjust("3 days")
      const { charge } = yield* pay(world, issued, { paidAt: issued.payableUntil + 1 })
      expect(charge).toMatchObject({ _tag: "Paid", payment: { late: true, otherAmount: false } })
      const onTime = yield* pay(world, yield* anIssuedCharge(), { paidAt: issued.payableUntil })
      expect(onTime.charge).toMatchObject({ payment: { late: false } })
    }),
  )

  scenario("settles the charge and is marked as `otherAmount` if its amount isn't the amount due", (world) =>
    Effect.gen(function* () {
      for (const amountCents of [1, 1989, 1991, 999_999_999_999]) {
        const { charge } = yield* pay(world, yield* anIssuedCharge(), { amountCents: cents(amountCents) })
        expect(charge).toMatchObject({ _tag: "Paid", payment: { otherAmount: true, amountCents } })
      }
    }),
  )

  scenario("is recorded as another amount if its time is outside the calendar", (world) =>
    Effect.gen(function* () {
      const { charge } = yield* pay(world, yield* anIssuedCharge(), { paidAt: 8.64e15 })
      expect(charge).toMatchObject({ _tag: "Paid", payment: { otherAmount: true, late: true } })
      expect(world.logged).toContainEqual(
        expect.stringMatching(/^Warn The amount due for charge \S+ could not be computed$/),
      )
    }),
  )

  scenario("isn't written again if it is already recorded", (world) =>
    Effect.gen(function* () {
      const { notice } = yield* pay(world, yield* anIssuedCharge())
      world.log.length = 0
      yield* confirm(notice)
      expect(world.log).toContain("find")
      expect(world.log).not.toContain("commit")
    }),
  )

  scenario("has the right amount if it includes fine and interest due on its day", (world) =>
    Effect.gen(function* () {
      const fees = {
        fine: { kind: "percent", basisPoints: 200 },
        interest: { kind: "percentPerDay", days: "calendar", basisPoints: 100 },
      } as const
      yield* registerCompany({ fees })
      const charge = yield* anIssuedCharge({ amountCents: 10_000, dueDate: "2026-06-08" })
      // Two days late: 2 % once and 1 % a day.
      const late = yield* pay(world, charge, { amountCents: cents(10_400), paidAt: Date.UTC(2026, 5, 10, 15) })
      expect(late.charge).toMatchObject({ payment: { late: false, otherAmount: false } })
      const short = yield* anIssuedCharge({ amountCents: 10_000, dueDate: "2026-06-08" })
      const shorter = yield* pay(world, short, { paidAt: Date.UTC(2026, 5, 10, 15) })
      expect(shorter.charge).toMatchObject({ payment: { otherAmount: true } })
    }),
  )

  scenario("bears no fine on the first open day after a local holiday", (world) =>
    Effect.gen(function* () {
      yield* registerCompany({ fees: { fine: { kind: "percent", basisPoints: 200 } }, localHolidays: ["2026-06-08"] })
      const issued = yield* anIssuedCharge({ dueDate: "2026-06-08" })
      const { charge } = yield* pay(world, issued, { paidAt: Date.UTC(2026, 5, 9, 15) })
      expect(charge).toMatchObject({ payment: { late: false, otherAmount: false } })
    }),
  )

  for (const [what, fees, before, after, day, amountCents] of [
    [
      "a holiday that is added on the due date",
      {
        fine: { kind: "percent", basisPoints: 200 },
        interest: { kind: "fixedPerDay", days: "calendar", amountCents: 50 },
      },
      [],
      ["2026-06-08"],
      10,
      10_000 + 200 + 2 * 50,
    ],
    [
      "a holiday that is added between due date and payment",
      { interest: { kind: "fixedPerDay", days: "business", amountCents: 50 } },
      [],
      ["2026-06-09"],
      10,
      10_000 + 2 * 50,
    ],
    [
      "a holiday that is removed from the last day of the discount",
      { discount: { kind: "fixedUntil", tiers: [{ daysBefore: 3, amountCents: 700 }] } },
      ["2026-06-05"],
      [],
      8,
      10_000 - 700,
    ],
  ] as const) {
    scenario(`has the right amount if it pays the amount promised at issue, even after ${what}`, (world) =>
      Effect.gen(function* () {
        yield* registerCompany({ fees, localHolidays: [...before] })
        const issued = yield* anIssuedCharge({ amountCents: 10_000, dueDate: "2026-06-08" })
        yield* registerCompany({ fees, localHolidays: [...after] })
        const paidAt = Date.UTC(2026, 5, day, 15)
        const { charge } = yield* pay(world, issued, { amountCents: cents(amountCents), paidAt })
        expect(charge).toMatchObject({ payment: { late: false, otherAmount: false } })
      }),
    )
  }

  scenario(
    "is compared with the amount due by today's calendar if the charge was stored without closed days",
    (world) =>
      Effect.gen(function* () {
        const fees = Result.getOrThrow(parseFees({ fine: { kind: "fixed", amountCents: 200 } }))
        const old = aPendingCharge({ amountCents: cents(10_000), dueDate: "2026-06-08" as LocalDate, fees })
        yield* (yield* ChargeStore).insert(old)
        yield* registerCompany({ localHolidays: ["2026-06-08"] })
        const { charge } = yield* pay(world, old, { paidAt: Date.UTC(2026, 5, 9, 15) })
        expect(charge).toMatchObject({ payment: { otherAmount: false } })
      }),
  )

  scenario("changes nothing if its notice is repeated", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid")
      const { notice, charge } = yield* pay(world, yield* anIssuedCharge())
      yield* TestClock.adjust("1 hour")
      for (let time = 0; time < 3; time++) expect(yield* confirm(notice)).toEqual(charge)
      expect([yield* deliveries, yield* exceptions]).toEqual([["loja paid waiting"], []])
    }),
  )

  scenario("is recorded and published once if it is sent 25 times in parallel", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid")
      const notice = aNotice(yield* anIssuedCharge())
      const answers = yield* Effect.all(
        Array.from({ length: 25 }, () => confirm(notice)),
        { concurrency: "unbounded" },
      )
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect([yield* deliveries, yield* exceptions, world.rings]).toEqual([["loja paid waiting"], [], 1])
    }),
  )
})

describe("a second payment", () => {
  scenario("is recorded and listed as an exception, without an event", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid")
      const { charge } = yield* pay(world, yield* anIssuedCharge())
      if (charge._tag !== "Paid") throw new Error("expected a paid charge")
      const second = aNotice(charge, { amountCents: cents(7) })
      expect(yield* confirm(second)).toEqual(charge)
      const [open, ...others] = yield* exceptions
      expect(others).toEqual([])
      expect(open).toMatchObject({
        payment: { endToEndId: second.endToEndId, chargeId: charge.id, otherAmount: true },
        reason: "furtherPayment",
        state: { _tag: "Open" },
      })
      expect(yield* deliveries).toEqual(["loja paid waiting"])
    }),
  )

  scenario("is recorded if it comes at the same time; only one payment settles the charge", (world) =>
    Effect.gen(function* () {
      for (const count of [2, 20]) {
        const issued = yield* anIssuedCharge()
        const notices = Array.from({ length: count }, () => aNotice(issued))
        const answers = yield* Effect.all(notices.map(confirm), { concurrency: "unbounded" })
        const settling = new Set(answers.map((charge) => charge._tag === "Paid" && charge.payment.endToEndId))
        expect(settling.size).toBe(1)
        const open = (yield* exceptions).filter(({ payment }) => payment.chargeId === issued.id)
        expect(open.map(({ payment }) => payment.endToEndId).toSorted()).toEqual(
          notices
            .map(({ endToEndId }) => endToEndId)
            .filter((id) => !settling.has(id))
            .toSorted(),
        )
      }
      expect(world.rings).toBe(0)
    }),
  )

  scenario("is an exception if it comes during or after a refund, too", (world) =>
    Effect.gen(function* () {
      const charges = yield* PixCharges
      for (const outcome of ["processing", "returned"] as const) {
        const charge = yield* aPaidOne(world)
        world.bank.refunds(outcome)
        const after = yield* charges.refund(charge.issuer, charge.id)
        expect(yield* confirm(aNotice(charge))).toEqual(after)
      }
      expect((yield* exceptions).map(({ reason }) => reason)).toEqual(["furtherPayment", "furtherPayment"])
    }),
  )
})

describe("a payment for a cancelled charge", () => {
  scenario("is recorded as an exception, and the charge stays cancelled", () =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      const charges = yield* PixCharges
      const gone = yield* charges.cancel(issued.issuer, issued.id)
      expect(yield* confirm(aNotice(issued))).toEqual(gone)
      expect((yield* exceptions).map(({ reason }) => reason)).toEqual(["cancelledCharge"])
    }),
  )
})

describe("a payment that names no charge of the company", () => {
  scenario("is recorded once as unmatched, and each notice of it is answered with an error", () =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      const { txid: _, ...nameless } = aNotice(issued)
      const notices = [nameless, aNotice(issued, { txid: "outro" }), aNotice(issued, { txid: "f".repeat(32) })]
      for (const notice of [...notices, ...notices]) expect(yield* failureTag(confirm(notice))).toBe("PaymentUnmatched")
      const elsewhere = aNotice(issued, { issuer: anotherCnpj })
      expect(yield* failureTag(confirm(elsewhere))).toBe("PaymentOfAnotherCompany")
      const open = yield* exceptions
      expect(open.map(({ reason }) => reason)).toEqual(["unmatched", "unmatched", "unmatched"])
      expect(open.map(({ payment }) => payment.endToEndId).toSorted()).toEqual(
        notices.map(({ endToEndId }) => endToEndId).toSorted(),
      )
      for (const { payment } of open) expect(payment).toMatchObject({ late: false, otherAmount: false })
      const charges = yield* PixCharges
      expect(yield* charges.find(issued.issuer, issued.id)).toEqual(issued)
    }),
  )

  scenario("settles a charge that is issued later under its txid", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid")
      const request = aRequest()
      const txid = chargeTxid(aCnpj, request.id)
      const notice = { issuer: aCnpj, txid, endToEndId: anEndToEndId(), amountCents: cents(1990), paidAt: fixtureNow }
      expect(yield* failureTag(confirm(notice))).toBe("PaymentUnmatched")
      yield* issue(request)
      expect(yield* confirm(notice)).toMatchObject({ _tag: "Paid", payment: { endToEndId: notice.endToEndId } })
      expect([yield* exceptions, yield* deliveries]).toEqual([[], ["loja paid waiting"]])
    }),
  )
})

describe("an endToEndId", () => {
  scenario("settles only one charge, and is refused for another charge, which stays pending", (world) =>
    Effect.gen(function* () {
      const { notice } = yield* pay(world, yield* anIssuedCharge())
      const second = yield* anIssuedCharge()
      const refused = yield* Effect.flip(confirm({ ...notice, txid: second.txid }))
      expect(refused).toMatchObject({
        _tag: "PaymentOfAnotherCharge",
        id: second.id,
        endToEndId: notice.endToEndId,
      })
      const charges = yield* PixCharges
      expect(yield* charges.find(aCnpj, second.id)).toEqual(second)
    }),
  )

  scenario("settles one of two charges if it is reported for both in parallel", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* anIssuedCharge(), yield* anIssuedCharge()]
      const notice = aNotice(first)
      const tags = yield* Effect.all(
        [failureTag(confirm(notice)), failureTag(confirm({ ...notice, txid: second.txid }))],
        {
          concurrency: "unbounded",
        },
      )
      expect(tags.toSorted()).toEqual(["PaymentOfAnotherCharge", "none"])
    }),
  )
})

describe("recording a payment after trouble", () => {
  scenario("succeeds when the notice is repeated, after any failure at any time", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", "paid")
      for (const fault of ["unreachable", "answerLost"] as const) {
        const notice = aNotice(yield* anIssuedCharge())
        world.storeFaults.set("commit", fault)
        expect(yield* failureTag(confirm(notice))).toBe("StoreUnavailable")
        expect(yield* confirm(notice)).toMatchObject({ _tag: "Paid", payment: { endToEndId: notice.endToEndId } })
      }
      expect(yield* deliveries).toEqual(["loja paid waiting", "loja paid waiting"])
      expect(yield* exceptions).toEqual([])
    }),
  )
})
