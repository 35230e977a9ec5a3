import { OutboxSignal, PaymentProcessor, PixCharges, Reconciler } from "@pixcharge/core"
import type { ChargeRequest } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import { apiPix } from "@pixcharge/processor-api-pix"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { aChargeId } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { company, connectionTo, openPsp } from "./bank/openBank.ts"

const makeClock = () => {
  const real = Context.get(Context.empty(), Clock.Clock)
  let aheadMs = 0
  const now = () => real.currentTimeMillisUnsafe() + aheadMs
  const clock: Clock.Clock = Object.assign(Object.create(real) as Clock.Clock, {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    sleep: real.sleep.bind(real),
  })
  return { clock, advance: (ms: number) => Effect.sync(() => void (aheadMs += ms)) }
}

const opened = Effect.gen(function* () {
  const psp = yield* openPsp({ ways: { returnPace: "manual" } })
  const connection = yield* Effect.promise(() => connectionTo(psp, company))
  const { clock, advance } = makeClock()
  const { cnpj, name, city, pixKey, graceDays } = company
  const layer = Reconciler.layer.pipe(
    Layer.provideMerge(PixCharges.layer),
    Layer.provideMerge(OutboxSignal.layer),
    Layer.provideMerge(memoryStore()),
    Layer.provideMerge(memoryDirectory({ companies: [{ cnpj, name, city, pixKey, graceDays }] })),
    Layer.provideMerge(apiPix({ companies: { [company.cnpj]: connection } }).processor),
    Layer.provideMerge(Layer.succeed(Clock.Clock, clock)),
  )
  const context = yield* Layer.build(layer)
  const request: ChargeRequest = { id: aChargeId(), amountCents: 1990 as Cents }
  const charges = Context.get(context, PixCharges)
  const inside = <A, E>(effect: Effect.Effect<A, E>) => Effect.provideService(effect, Clock.Clock, clock)
  const charge = yield* inside(charges.issue(company.cnpj, request))
  return { psp, charge, charges, advance, inside, context }
})

type Opened = Effect.Success<typeof opened>

/** Runs rounds of checks until the charge is in this state, and returns it. */
const eventually = ({ charges, charge, inside, context }: Opened, state: string) =>
  Effect.gen(function* () {
    for (let tries = 0; tries < 300; tries++) {
      yield* inside(Context.get(context, Reconciler).round)
      const found = yield* inside(charges.find(company.cnpj, charge.id))
      if (found._tag === state) return found
      yield* Effect.sleep(20)
    }
    return yield* Effect.die(`it never became ${state}`)
  })

describe("the reconciler", () => {
  it.live("finds a payment for which no notice came by a look-up of the charge", () =>
    Effect.gen(function* () {
      const world = yield* opened
      const { endToEndId } = world.psp.pay(company.cnpj, world.charge.txid)
      yield* world.advance(46_000)
      expect(yield* eventually(world, "Paid")).toMatchObject({ payment: { endToEndId, amountCents: 1990 } })
    }),
  )

  it.live("finds the end of a refund for which no notice came by a look-up", () =>
    Effect.gen(function* () {
      const world = yield* opened
      const { psp, charge, charges, inside, advance } = world
      const { endToEndId } = psp.pay(company.cnpj, charge.txid)
      yield* advance(46_000)
      yield* eventually(world, "Paid")
      const refunding = yield* inside(charges.refund(company.cnpj, charge.id))
      expect(refunding._tag).toBe("Refunding")
      psp.endReturn(endToEndId, refunding.refund?.id ?? "", "returned")
      yield* advance(10_000)
      yield* eventually(world, "Refunded")
    }),
  )

  it.live("gets a payment without a charge of ours from the bank's list", () =>
    Effect.gen(function* () {
      const { psp, context, inside } = yield* opened
      const { endToEndId } = psp.payToKey(company.pixKey, 700)
      const { payments } = Context.get(context, PaymentProcessor)
      const period = { from: Date.now() - 60_000, until: Date.now() + 60_000 }
      expect((yield* inside(payments(company.cnpj, period))).items).toEqual([
        {
          issuer: company.cnpj,
          endToEndId,
          amountCents: 700,
          paidAt: expect.any(Number),
          pixKey: company.pixKey,
          returns: [],
        },
      ])
    }),
  )
})
