import { PixCharges, ProcessorRejected } from "@pixcharge/core"
import type { Charge, ChargeChange, PendingCharge } from "@pixcharge/core/charges"
import { cents } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Changing } from "../../src/services/charges/Changing.ts"
import { chargePorts } from "../../src/services/charges/ChargePorts.ts"
import { aReconciler, anIssuedCharge, failureTag, pay, scenario, type World } from "../World.ts"

const change = ({ issuer, id }: Charge, terms: Partial<ChargeChange>) =>
  Effect.flatMap(PixCharges, (charges) => charges.change(issuer, id, { key: "a", ...terms }))

const find = ({ issuer, id }: Charge) => Effect.flatMap(PixCharges, (charges) => charges.find(issuer, id))

const amounts = ({ termsRows = [] }: Charge) =>
  termsRows.map(({ amountCents, by }) => `${amountCents} ${by ?? "issue"}`)

const shownAmount = (world: World, charge: Charge) => world.bank.view(charge).terms?.amountCents

const changes = (world: World) => world.bank.calls.filter((call) => call === "change").length

const resumed = (charge: Charge, view: ReturnType<World["bank"]["view"]>) =>
  Effect.flatMap(chargePorts, (ports) => new Changing(ports).resume(charge as PendingCharge, view))

/** A charge whose requested 1500 the bank doesn't have. */
const aRequestedOne = Effect.fnUntraced(function* (world: World) {
  const issued = yield* anIssuedCharge({ amountCents: 1000, payableForSeconds: 3600 })
  world.bank.fail("change", "unreachable")
  yield* failureTag(change(issued, { amountCents: 1500 }))
  return yield* find(issued)
})

describe("later terms at the bank", () => {
  scenario("stay if restored books repeat the call of an earlier change", (world) =>
    Effect.gen(function* () {
      const charge = yield* aRequestedOne(world)
      world.bank.changeTerms(charge, { amountCents: cents(2000), payableForSeconds: 3600 })
      expect(yield* failureTag(change(charge, { amountCents: 1500 }))).toBe("ChangeRejected")
      expect([shownAmount(world, charge), changes(world)]).toEqual([2000, 1])
      expect(amounts(yield* find(charge))).toEqual(["1000 issue", "1500 host", "2000 bank"])
    }),
  )

  scenario("stay if the terms between can't be listed", (world) =>
    Effect.gen(function* () {
      const charge = yield* aRequestedOne(world)
      for (const amount of [1700, 2000]) {
        world.bank.changeTerms(charge, { amountCents: cents(amount), payableForSeconds: 3600 })
      }
      world.bank.fail("lookup", "unreachable")
      expect(yield* failureTag(resumed(charge, world.bank.view(charge)))).toBe("ProcessorUnavailable")
      expect([shownAmount(world, charge), changes(world)]).toEqual([2000, 1])
      yield* resumed(charge, world.bank.view(charge))
      expect(amounts(yield* find(charge))).toEqual(["1000 issue", "1500 host", "1700 bank", "2000 bank"])
    }),
  )

  scenario("stay if a check was claimed before them", (world) =>
    Effect.gen(function* () {
      const claimed = yield* aRequestedOne(world)
      const view = { ...world.bank.view(claimed) }
      yield* change(claimed, { amountCents: 1500 })
      yield* change(claimed, { key: "b", amountCents: 2000 })
      yield* resumed(claimed, view)
      expect([shownAmount(world, claimed), changes(world)]).toEqual([2000, 3])
    }),
  )

  scenario("are found at once after a refusal", (world) =>
    Effect.gen(function* () {
      const { round } = yield* aReconciler
      const issued = yield* anIssuedCharge({ amountCents: 1000, payableForSeconds: 86_400 })
      world.bank.fail("change", "rejected")
      expect(yield* failureTag(change(issued, { amountCents: 1500 }))).toBe("ChangeRejected")
      world.bank.changeTerms(issued, { amountCents: cents(1500), payableForSeconds: 86_400 })
      yield* TestClock.adjust("1 second")
      yield* round
      expect(amounts(yield* find(issued))).toEqual(["1000 issue", "1500 host", "1500 bank"])
    }),
  )
})

scenario("a payment isn't of another amount by terms between two that are alike", (world) =>
  Effect.gen(function* () {
    const issued = yield* anIssuedCharge({ amountCents: 1000 })
    for (const amount of [1500, 1000]) world.bank.changeTerms(issued, { amountCents: cents(amount) })
    const { charge } = yield* pay(world, issued, { amountCents: cents(1500) })
    expect(charge).toMatchObject({ _tag: "Paid", payment: { otherAmount: false } })
    expect(amounts(charge)).toEqual(["1000 issue", "1500 bank", "1000 bank"])
  }),
)

scenario("a change is sent again with the count that the bank showed before its request", (world) =>
  Effect.gen(function* () {
    const issued = yield* anIssuedCharge({ amountCents: 1000 })
    yield* change(issued, { amountCents: 1500 })
    const hidden = { key: "b", messageToPayer: "Com frete" }
    world.bank.fail("change", "answerLost")
    yield* failureTag(change(issued, hidden))
    yield* change(issued, hidden)
    expect([...world.bank.orders.values()]).toMatchObject([{ revision: 1, messageToPayer: "Com frete" }])
    expect(world.bank.view(issued).terms?.revision).toBe(3)
  }),
)

scenario("a change is read once, even from getters", () =>
  Effect.gen(function* () {
    const issued = yield* anIssuedCharge({ amountCents: 1000 })
    let reads = 0
    const odd: ChargeChange = {
      get key() {
        return `k${(reads += 1)}`
      },
      amountCents: 1500,
    }
    const { charge, number } = yield* (yield* PixCharges).change(issued.issuer, issued.id, odd)
    expect([number, charge.termsRows?.at(-1)?.key]).toEqual([2, "k1"])
  }),
)

scenario("a refusal in a text that databases refuse ends a change", () =>
  Effect.gen(function* () {
    const { issuer, id } = yield* anIssuedCharge({ amountCents: 1000 })
    const ports = yield* chargePorts
    const refuse = () => new ProcessorRejected({ operation: "change", reason: Redacted.make("no\u0000\ud800") })
    const changing = new Changing({ ...ports, processor: { ...ports.processor, change: refuse } })
    expect(yield* failureTag(changing.change(issuer, id, { key: "a", amountCents: 1500 }))).toBe("ChangeRejected")
    const charge = yield* ports.store.find(issuer, id)
    expect(charge?.termsRows?.at(-1)?.rejection).toBe("no\ufffd\ufffd")
  }),
)
