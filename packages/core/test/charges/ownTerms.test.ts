import { PixCharges } from "@pixcharge/core"
import type { ChargeFeesInput, ChargeRequestInput, PendingCharge } from "@pixcharge/core/charges"
import { aCnpj } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import {
  aRequest,
  anIssuedCharge,
  company,
  failureTag,
  inBothLocalities,
  issue,
  registerCompany,
  scenario,
  type World,
} from "../World.ts"

const payer = { name: "Ana Souza", taxId: "52998224725" }
const fine = { kind: "percent", basisPoints: 200 } as const
const dueDate = "2026-06-15"
const byDays = {
  kind: "fixedUntil",
  tiers: [
    { daysBefore: 10, amountCents: 300 },
    { daysBefore: 3, amountCents: 100 },
  ],
} as const
/** The same tiers, by their dates. */
const byDates = {
  kind: "fixedUntil",
  tiers: [
    { date: "2026-06-05", amountCents: 300 },
    { date: "2026-06-12", amountCents: 100 },
  ],
} as const
const lastTier = { kind: "fixedUntil", tiers: [byDays.tiers[1]] }

const orderOf = ({ bank }: World, { txid }: Pick<PendingCharge, "txid">) => bank.orders.get(`${company.cnpj} ${txid}`)

const aDueRequest = (more: Partial<ChargeRequestInput> = {}) => aRequest({ dueDate, payer, ...more })

const find = (id: PendingCharge["id"]) => Effect.flatMap(PixCharges, (charges) => charges.find(aCnpj, id))

/** 15:00 in Brasília. */
const atDay = (day: number) => TestClock.setTime(Date.UTC(2026, 5, day, 18))

describe("a charge with terms of its own", () => {
  inBothLocalities("stores what was requested and what came of it, and sends that to the bank", (world) =>
    Effect.gen(function* () {
      yield* registerCompany({ fees: { fine, discount: byDays } })
      const fees = { fine: "none", abatement: { kind: "fixed", amountCents: 90 } } as const
      const charge = yield* issue(aDueRequest({ fees, graceDays: 2 }))
      const came = { abatement: fees.abatement, discount: byDays }
      expect(charge).toMatchObject({ requested: { fees, graceDays: 2 }, fees: came })
      expect(charge.fees).toEqual(came)
      // Monday 15 June 2026, and two days.
      expect(new Date(charge.payableUntil).toISOString()).toBe("2026-06-18T02:59:59.999Z")
      expect(orderOf(world, charge)?.company).toMatchObject({ cnpj: company.cnpj, fees: came, graceDays: 2 })
      expect(yield* find(charge.id)).toEqual(charge)
    }),
  )

  inBothLocalities("can waive the fees of its company", (world) =>
    Effect.gen(function* () {
      yield* registerCompany({ fees: { fine } })
      const charge = yield* issue(aDueRequest({ fees: "none" }))
      expect(charge).not.toHaveProperty("fees")
      expect(orderOf(world, charge)?.company).not.toHaveProperty("fees")
      expect((yield* anIssuedCharge({ dueDate })).fees).toEqual({ fine })
    }),
  )

  inBothLocalities("keeps the days from its issue for a discount of its own", () =>
    Effect.gen(function* () {
      const charge = yield* issue(aDueRequest({ fees: { discount: byDates } }))
      // Corpus Christi.
      expect(charge.closedDays).toMatchObject({ from: "2026-06-03", closed: ["2026-06-04"] })
      expect((yield* issue(aDueRequest())).closedDays).toMatchObject({ from: dueDate })
    }),
  )

  inBothLocalities("is repeated by its requested terms, even if its company has other fees now", () =>
    Effect.gen(function* () {
      const request = aDueRequest({ fees: { fine, discount: byDates }, graceDays: 2 })
      const first = yield* issue(request)
      yield* registerCompany({
        graceDays: 99,
        fees: { interest: { kind: "fixedPerDay", days: "calendar", amountCents: 1 } },
      })
      expect(yield* issue(request)).toEqual(first)
      const { requested: _, ...plain } = request
      expect(yield* issue({ ...plain, isOfContract: true })).toEqual(first)
      const others = [plain, { ...request, requested: { graceDays: 2 } }, { ...request, requested: { graceDays: 3 } }]
      for (const other of others) expect(yield* failureTag(issue(other))).toBe("ChargeConflict")
      expect(yield* find(first.id)).toEqual(first)
    }),
  )

  inBothLocalities("is refused if its own reductions reach the amount: the error names its field", (world) =>
    Effect.gen(function* () {
      yield* registerCompany({ fees: { discount: byDays } })
      const tooMuch = { abatement: { kind: "fixed", amountCents: 1_690 } } as const
      const refused = yield* Effect.flip(issue(aDueRequest({ fees: tooMuch })))
      expect(refused).toMatchObject({
        _tag: "InvalidFees",
        field: "discount",
        isRequested: true,
        message: "The charge's fees.discount must leave something of the amount to pay.",
      })
      expect(world.bank.calls).toEqual([])
      expect(yield* failureTag(issue(aDueRequest({ fees: { ...tooMuch, discount: "none" } })))).toBe("none")
      yield* registerCompany({ fees: { abatement: { kind: "fixed", amountCents: 1_990 } } })
      const registered = yield* Effect.flip(issue(aDueRequest({ fees: { fine } })))
      expect(registered).toMatchObject({ field: "abatement", message: expect.stringContaining("in the registration") })
      expect(registered).not.toHaveProperty("isRequested")
      expect(yield* failureTag(issue(aDueRequest({ fees: { abatement: "none" } })))).toBe("none")
    }),
  )
})

describe("a tier by days whose date has passed", () => {
  const origins: Readonly<Record<string, ChargeFeesInput>> = { registration: {}, request: { discount: byDays } }
  for (const [origin, fees] of Object.entries(origins)) {
    inBothLocalities(`of the ${origin} is neither in the bank's order nor in the charge's fees`, (world) =>
      Effect.gen(function* () {
        yield* registerCompany({ fees: { fine, discount: byDays } })
        yield* atDay(5)
        expect((yield* issue(aDueRequest({ fees }))).fees).toEqual({ fine, discount: byDays })
        yield* atDay(6)
        const second = yield* issue(aDueRequest({ fees }))
        expect([second.fees, orderOf(world, second)?.company.fees]).toEqual([
          { fine, discount: lastTier },
          { fine, discount: lastTier },
        ])
        yield* atDay(13)
        const third = yield* issue(aDueRequest({ fees }))
        expect([third.fees, orderOf(world, third)?.company.fees]).toEqual([{ fine }, { fine }])
      }),
    )
  }

  scenario("stays in the fees of a charge that was registered before, and whose answer was lost", (world) =>
    Effect.gen(function* () {
      yield* registerCompany({ fees: { discount: byDays } })
      const request = aDueRequest()
      world.bank.fail("register", "answerLost")
      expect(yield* failureTag(issue(request))).toBe("ProcessorUnavailable")
      yield* atDay(8)
      const charge = yield* issue(request)
      expect(charge).toMatchObject({ createdAt: expect.any(Number), fees: { discount: byDays } })
    }),
  )

  scenario("is in the fees of earlier orders, which the processor takes for the same charge", (world) =>
    Effect.gen(function* () {
      yield* registerCompany({ fees: { discount: byDays } })
      yield* atDay(8)
      const charge = yield* issue(aDueRequest())
      expect(orderOf(world, charge)).toMatchObject({
        company: { fees: { discount: lastTier } },
        earlierFees: [{ discount: byDays }],
      })
      yield* atDay(3)
      expect(orderOf(world, yield* issue(aDueRequest()))).not.toHaveProperty("earlierFees")
    }),
  )
})

describe("a tier by date that has passed", () => {
  const fees = { discount: byDates }

  inBothLocalities("is refused, and the error names its field", (world) =>
    Effect.gen(function* () {
      yield* atDay(6)
      const refused = yield* Effect.flip(issue(aDueRequest({ fees })))
      expect(refused).toMatchObject({
        _tag: "InvalidFees",
        field: "discount",
        reason: "passed",
        message: "The charge's fees.discount must have no tier whose date has passed.",
      })
      expect(world.bank.calls).not.toContain("register")
      yield* TestClock.setTime(Date.UTC(2026, 5, 6, 2, 59, 59))
      expect(yield* failureTag(issue(aDueRequest({ fees })))).toBe("none")
    }),
  )

  inBothLocalities("doesn't matter to a repeat of a stored charge", () =>
    Effect.gen(function* () {
      const request = aDueRequest({ fees })
      const first = yield* issue(request)
      yield* atDay(14)
      expect(yield* issue(request)).toEqual(first)
    }),
  )

  for (const [title, registers] of [
    ["whose answer was lost", true],
    ["that never arrived", false],
  ] as const) {
    scenario(`is ${registers ? "accepted" : "refused"} after a call before that date ${title}`, (world) =>
      Effect.gen(function* () {
        const request = aDueRequest({ fees })
        world.bank.fail("register", registers ? "answerLost" : "unreachable")
        expect(yield* failureTag(issue(request))).toBe("ProcessorUnavailable")
        yield* atDay(9)
        world.bank.fail("lookup", "unreachable")
        expect(yield* failureTag(issue(request))).toBe("ProcessorUnavailable")
        expect(yield* failureTag(issue(request))).toBe(registers ? "none" : "InvalidFees")
        if (registers) expect(yield* find(request.id)).toMatchObject({ fees: { discount: byDays } })
      }),
    )
  }

  scenario("is accepted for a charge that the store lost after the bank had registered it", (world) =>
    Effect.gen(function* () {
      const request = aDueRequest({ fees })
      world.storeFaults.set("insert", "unreachable")
      expect(yield* failureTag(issue(request))).toBe("StoreUnavailable")
      yield* atDay(20)
      expect(yield* issue(request)).toMatchObject({ requested: { fees }, fees: { discount: byDays } })
    }),
  )
})

describe("a payer's e-mail and address", () => {
  const contact = {
    email: "ana@example.com",
    address: { street: " Rua das Flores, 12 ", city: "São Paulo", state: "SP", postalCode: "01310-100" },
  }
  const stored = {
    ...payer,
    ...contact,
    address: { ...contact.address, street: "Rua das Flores, 12", postalCode: "01310100" },
  }

  inBothLocalities("go to the bank and into the books with a due date", (world) =>
    Effect.gen(function* () {
      const charge = yield* issue(aDueRequest({ payer: { ...payer, ...contact } }))
      expect([charge.payer, orderOf(world, charge)?.payer]).toEqual([stored, stored])
    }),
  )

  inBothLocalities("are compared by a host's repeat, and not by a repeat of the contract", () =>
    Effect.gen(function* () {
      const first = yield* issue(aDueRequest({ payer: { ...payer, ...contact } }))
      const again = (who: object) => aDueRequest({ id: first.id, payer: { ...payer, ...who } })
      expect(yield* issue(again(contact))).toEqual(first)
      for (const who of [{}, { email: contact.email }, { ...contact, email: "outra@example.com" }])
        expect(yield* failureTag(issue(again(who)))).toBe("ChargeConflict")
      expect(yield* issue({ ...again({}), isOfContract: true })).toEqual(first)
      const other = { ...again({ name: "Outra" }), isOfContract: true } as const
      expect(yield* failureTag(issue(other))).toBe("ChargeConflict")
    }),
  )
})
