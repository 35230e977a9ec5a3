import { type ChargeOrder, PaymentProcessor, PaymentSimulator } from "@pixcharge/core"
import { decodeBrCode } from "@pixcharge/core/brcode"
import type { Cents } from "@pixcharge/core/money"
import { type Company, parseCnpj } from "@pixcharge/core/party"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { anOrder, aRefundId, aRegisteredCharge, registeredPending } from "@pixcharge/adapter-tests/fixtures"
import { it, paymentProcessorSuite, paymentSimulatorSuite } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"

const aCompany = (cnpj: string): Company => ({
  cnpj: Result.getOrThrow(parseCnpj(cnpj)),
  name: "Padaria São João",
  city: "Brasília",
  pixKey: cnpj,
  walletActive: true,
  ownBankDomicile: true,
  graceDays: 5,
})

const company = aCompany("12345678000195")

const open = Effect.gen(function* () {
  const services = yield* Layer.build(Layer.fresh(sandboxProcessor()))
  const processor = Context.get(services, PaymentProcessor)
  const simulator = Context.get(services, PaymentSimulator)
  return { processor, simulator, company }
})

paymentSimulatorSuite("sandbox", open)

paymentProcessorSuite(
  "sandbox",
  Effect.map(open, ({ processor, simulator }) => ({
    processor,
    company,
    otherCompany: aCompany("12ABC34501DE35"),
    paymentsPerPage: 100,
    pay: (charge) =>
      Effect.flatMap(simulator.simulate(charge, charge.amountCents), ([notice]) =>
        notice === undefined ? Effect.die("no notice") : Effect.succeed(notice),
      ),
  })),
)

describe("the sandbox", () => {
  it.live("has a local processor, which only the sandbox accepts", () =>
    Effect.gen(function* () {
      expect((yield* open).processor.locality).toBe("local")
      expect(sandboxProcessor().environment).toBe("sandbox")
    }),
  )

  it.live("makes codes for a host name that can never resolve (decision 30)", () =>
    Effect.gen(function* () {
      const { processor } = yield* open
      for (const [given, path] of [
        [{}, ""],
        [{ dueInDays: 1 }, "cobv/"],
      ] as const) {
        const { brCode } = yield* processor.register(yield* anOrder(company, given))
        const { code } = Result.getOrThrow(decodeBrCode(brCode))
        expect(code).toMatchObject({
          _tag: "Dynamic",
          url: expect.stringMatching(new RegExp(`^pix\\.sandbox\\.invalid/${path}[0-9a-f]{32}$`)),
          merchantName: "Padaria Sao Joao",
          merchantCity: "Brasilia",
        })
      }
    }),
  )

  it.live("cuts name and city to the lengths of the code's fields, without a space at the end", () =>
    Effect.gen(function* () {
      const { processor } = yield* open
      const long = { ...company, name: "Comércio de Pães e Bolos Ltda", city: "São José dos Campos" }
      const { brCode } = yield* processor.register(yield* anOrder(long))
      expect(Result.getOrThrow(decodeBrCode(brCode)).code).toMatchObject({
        merchantName: "Comercio de Paes e Bolos",
        merchantCity: "Sao Jose dos Ca",
      })
    }),
  )

  it.live("pays a changed charge by its new terms, and counts its changes", () =>
    Effect.gen(function* () {
      const { processor, simulator } = yield* open
      const order = yield* anOrder(company)
      const registered = yield* processor.register(order)
      const changed = { ...order, amountCents: 2592 as Cents }
      for (const revision of [1, 2])
        expect(yield* processor.change(changed)).toEqual({ brCode: registered.brCode, revision })
      const charge = registeredPending(changed, registered)
      // The new amount's digits choose the payer's outcome: the payment is made, and the call times out.
      expect((yield* Effect.flip(simulator.simulate(charge, charge.amountCents)))._tag).toBe("ProcessorUnavailable")
      expect(yield* processor.lookup(charge)).toMatchObject({
        status: "completed",
        terms: { amountCents: 2592, revision: 2 },
        payments: [{ amountCents: 2592 }],
      })
      expect((yield* Effect.flip(processor.change(changed)))._tag).toBe("ProcessorRejected")
    }),
  )

  it.effect("puts the minute of the charge's creation in UTC into the payment's endToEndId", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_772_319_599_999) // 2026-02-28T22:59:59.999Z
      const { processor, simulator } = yield* open
      const charge = yield* aRegisteredCharge(processor, company)
      yield* TestClock.adjust(120_000)
      const [notice] = yield* simulator.simulate(charge, charge.amountCents)
      expect(notice?.endToEndId.slice(0, 21)).toBe("E99999999202602282259")
      expect(notice?.paidAt).toBe(1_772_319_719_999)
    }),
  )
})

describe("a sandbox after a restart", () => {
  const afterRestart = Effect.gen(function* () {
    const before = yield* open
    const order: ChargeOrder = yield* anOrder(company)
    const registered = yield* before.processor.register(order)
    const charge = registeredPending(order, registered)
    const notices = yield* before.simulator.simulate(charge, 1990 as Cents)
    return { ...(yield* open), order, registered, charge, notices }
  })

  it.live("reports the charge as unknown", () =>
    Effect.gen(function* () {
      const { processor, charge } = yield* afterRestart
      expect(yield* processor.lookup(charge)).toEqual({ status: "unknown", payments: [], returns: [] })
      expect((yield* processor.payments(charge.issuer, { from: 0, until: charge.payableUntil })).items).toEqual([])
    }),
  )

  it.live("gives a charge the same code as before", () =>
    Effect.gen(function* () {
      const { processor, order, registered } = yield* afterRestart
      expect((yield* processor.register(order)).brCode).toBe(registered.brCode)
    }),
  )

  it.live("pays a charge under the same endToEndId as before", () =>
    Effect.gen(function* () {
      const { simulator, charge, notices } = yield* afterRestart
      const again = yield* simulator.simulate(charge, 1990 as Cents)
      expect(again.map(({ endToEndId }) => endToEndId)).toEqual(notices.map(({ endToEndId }) => endToEndId))
    }),
  )

  it.live("refunds a forgotten payment only once", () =>
    Effect.gen(function* () {
      const { processor, charge, notices } = yield* afterRestart
      const { endToEndId } = notices[0]!
      const order = {
        issuer: charge.issuer,
        endToEndId,
        amountCents: 1990 as Cents,
        refundId: aRefundId({ endToEndId }),
      }
      expect(yield* processor.lookupRefund(order)).toBeUndefined()
      const outcome = yield* processor.refund(order)
      expect(outcome._tag).toBe("Returned")
      expect(yield* processor.refund(order)).toEqual(outcome)
      expect(yield* processor.lookupRefund(order)).toEqual(outcome)
    }),
  )

  it.live("changes a forgotten charge, and shows no number of changes", () =>
    Effect.gen(function* () {
      const { processor, order, charge, registered } = yield* afterRestart
      expect(yield* processor.change({ ...order, amountCents: 2000 as Cents })).toEqual({ brCode: registered.brCode })
      expect(yield* processor.lookup(charge)).toMatchObject({ status: "active", terms: { amountCents: 2000 } })
      expect((yield* processor.lookup(charge)).terms).not.toHaveProperty("revision")
    }),
  )

  it.live("cancels a forgotten charge", () =>
    Effect.gen(function* () {
      const { processor, charge } = yield* afterRestart
      expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
      expect((yield* processor.lookup(charge)).status).toBe("removed")
    }),
  )
})
