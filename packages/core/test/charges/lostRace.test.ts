import type { PixCharges } from "@pixcharge/core"
import type { ChargeRequestInput } from "@pixcharge/core/charges"
import { aCnpj } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { chargePorts, type ChargePorts } from "../../src/services/charges/ChargePorts.ts"
import { Issuing } from "../../src/services/charges/Issuing.ts"
import { aRequest, failureTag, issue, scenario, type World } from "../World.ts"

/** Issues both under one id at once; the bank has the terms of the second. */
const race = Effect.fnUntraced(function* (
  world: World,
  first: Partial<ChargeRequestInput>,
  second: Partial<ChargeRequestInput>,
) {
  world.bank.lastRegisterWins()
  const id = crypto.randomUUID()
  const calls = [first, second].map((terms) => failureTag(issue(aRequest({ id, ...terms }))))
  expect(yield* Effect.all(calls, { concurrency: "unbounded" })).toEqual(["none", "ChargeConflict"])
})

const kept = ({ bank }: World) =>
  [...bank.orders.values()].map(({ amountCents, messageToPayer }) => messageToPayer ?? amountCents)

const restoring = ({ bank }: World) => bank.calls.filter((call) => call === "lookup" || call === "change")

for (const [differing, first, second, stored] of [
  ["amounts", { amountCents: 1000 }, { amountCents: 2000 }, 1000],
  ["texts", { messageToPayer: "um" }, { messageToPayer: "dois" }, "um"],
] as const) {
  scenario(`a lost race of ${differing} is put back by one look-up and one change`, (world) =>
    Effect.gen(function* () {
      yield* race(world, first, second)
      expect([kept(world), restoring(world)]).toEqual([[stored], ["lookup", "change"]])
    }),
  )

  scenario(`a lost race of ${differing} is put back once if the store fails after the registration`, (world) =>
    Effect.gen(function* () {
      world.storeFaults.set("insert", "nextUnreachable")
      yield* race(world, first, second)
      expect([kept(world), restoring(world)]).toEqual([[stored], ["lookup", "change"]])
    }),
  )
}

scenario("a lost race is put back once if the bank doesn't answer", (world) =>
  Effect.gen(function* () {
    world.bank.fail("register", "passes", "answerLost")
    yield* race(world, { amountCents: 1000 }, { amountCents: 2000 })
    expect([kept(world), restoring(world)]).toEqual([[1000], ["lookup", "change"]])
  }),
)

/** The first request is issued while the second waits there. */
const overtakenAt = Effect.fnUntraced(function* (
  place: (ports: ChargePorts, first: Effect.Effect<void>) => Partial<ChargePorts>,
) {
  const id = crypto.randomUUID()
  const ports = yield* chargePorts
  const first = Effect.orDie(Effect.asVoid(issue(aRequest({ id, amountCents: 1000 }))))
  const context = yield* Effect.context<PixCharges>()
  const issuing = new Issuing({ ...ports, ...place(ports, Effect.provideContext(first, context)) })
  expect(yield* failureTag(issuing.issue(aCnpj, aRequest({ id, amountCents: 2000 })))).toBe("ChargeConflict")
})

scenario("a lost race isn't put back if the call was refused before the bank heard of it", (world) =>
  Effect.gen(function* () {
    yield* overtakenAt(({ directory }, first) => ({
      directory: { ...directory, find: () => Effect.as(first, undefined) },
    }))
    expect(world.bank.calls).toEqual(["register"])
  }),
)

scenario("a lost race isn't put back if the bank has refused the call", (world) =>
  Effect.gen(function* () {
    yield* overtakenAt(({ processor }, first) => ({
      processor: { ...processor, register: (order) => Effect.andThen(first, processor.register(order)) },
    }))
    expect([kept(world), world.bank.calls]).toEqual([[1000], ["register", "register"]])
  }),
)
