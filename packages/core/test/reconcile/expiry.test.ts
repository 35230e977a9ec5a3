import { Actor, DueChecks, Outbox, PixCharges, Reconciler, Reconciliations } from "@pixcharge/core"
import {
  type Charge,
  type ChargeRequestInput,
  factKinds,
  type PendingCharge,
  type PixEvent,
} from "@pixcharge/core/charges"
import { PublishedKinds } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { ChargeCheck } from "../../src/services/reconcile/checks.ts"
import { reconcilerPorts } from "../../src/services/reconcile/ReconcilerPorts.ts"
import { aCnpj } from "@pixcharge/adapter-tests/fixtures"
import { addEndpoint, anIssuedCharge, failureTag, pay, scenario, type World } from "../World.ts"

const second = 1_000
const minute = 60 * second
const day = 86_400 * second

const publishing = Effect.provideService(PublishedKinds, factKinds)

/** A reconciler of a process that publishes every kind. */
const allKinds = Effect.map(Layer.build(Layer.fresh(Reconciler.onDemand)).pipe(publishing), (context) =>
  Context.get(context, Reconciler),
)
const usualKinds = Effect.map(Layer.build(Layer.fresh(Reconciler.onDemand)), (context) =>
  Context.get(context, Reconciler),
)

const published = Effect.flatMap(Outbox, (outbox) =>
  Effect.map(outbox.list(aCnpj, {}, { limit: 100 }), ({ items }): ReadonlyArray<PixEvent> =>
    items.map(({ event }) => event).toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
  ),
)
const subject = (event: PixEvent) => ("charge" in event ? event.charge.txid : undefined)
const publishedKinds = Effect.map(published, (events) => events.map(({ kind }) => kind))

const find = ({ issuer, id }: Pick<Charge, "issuer" | "id">) =>
  Effect.flatMap(PixCharges, (charges) => charges.find(issuer, id))

const open = Effect.fnUntraced(function* (world: World, request: Partial<ChargeRequestInput> = {}) {
  addEndpoint(world, "loja", ...factKinds)
  return { ...(yield* allKinds), charge: yield* anIssuedCharge(request) }
})

const anUnpaid = Effect.fnUntraced(function* (charge: PendingCharge) {
  const known = yield* find(charge)
  return known._tag === "Pending" ? known : yield* Effect.die(new Error("expected a pending charge"))
})

const lookUpsOf = ({ bank }: World) => bank.calls.filter((call) => call === "lookup").length

describe("the expiry of an unpaid charge", () => {
  scenario(
    "comes at the end that a change gave, known to the books or not, and at the old one if it was refused",
    (world) =>
      Effect.gen(function* () {
        const { round, charge: forgotten } = yield* open(world)
        const refused = yield* anIssuedCharge()
        world.bank.changeTerms(forgotten, { amountCents: forgotten.amountCents, payableForSeconds: 7200 })
        world.bank.fail("change", "rejected")
        const charges = yield* PixCharges
        const longer = { key: "a", payableForSeconds: 2_592_000 }
        expect(yield* failureTag(charges.change(refused.issuer, refused.id, longer))).toBe("ChangeRejected")
        yield* TestClock.adjust("13 minutes")
        yield* round
        expect((yield* published).map(subject)).toEqual([refused.txid])
        yield* TestClock.adjust("2 hours")
        yield* round
        expect((yield* published).map(subject).toSorted()).toEqual([refused.txid, forgotten.txid].toSorted())
      }),
  )

  scenario("is published once, by a look-up sent more than a minute after the last moment to pay", (world) =>
    Effect.gen(function* () {
      const { round, charge } = yield* open(world)
      yield* round
      yield* TestClock.setTime(charge.createdAt + 660 * second)
      yield* round
      expect(yield* published).toEqual([])
      yield* TestClock.setTime(charge.createdAt + 661 * second)
      yield* round
      expect(yield* published).toEqual([
        {
          id: `evt_${charge.issuer}_${charge.id.replaceAll("-", "")}_expired`,
          kind: "expired",
          issuer: charge.issuer,
          companyName: "Padaria Aurora Ltda",
          occurredAt: charge.payableUntil,
          charge: { chargeId: charge.id, txid: charge.txid, amountCents: 1990 },
          payableUntil: charge.payableUntil,
        },
      ])
      yield* TestClock.setTime(charge.watchUntil + minute)
      yield* round
      expect(yield* publishedKinds).toEqual(["expired"])
      // The two look-ups that follow an unpaid charge without this event, too.
      expect(lookUpsOf(world)).toBe(2)
      expect(yield* find(charge)).toMatchObject({ _tag: "Pending" })
    }),
  )

  scenario("of a due date comes after the last grace day moved to a business day", (world) =>
    Effect.gen(function* () {
      // 15 + 5 days is a Saturday: the bank takes payments until Monday, 22 June.
      const { round, charge } = yield* open(world, { dueDate: "2026-06-15" })
      const endsAt = Date.parse("2026-06-23T03:00:00Z")
      for (let at = charge.createdAt; at < endsAt + minute; at += 3_600 * second) {
        yield* TestClock.setTime(at)
        yield* round
      }
      expect(yield* published).toEqual([])
      yield* TestClock.setTime(endsAt + 62 * second)
      yield* round
      const [event] = yield* published
      expect(event?.kind).toBe("expired")
      expect(endsAt - (event?.occurredAt ?? 0)).toBeLessThanOrEqual(1)
    }),
  )

  scenario(
    "is published in a sandbox, too",
    (world) =>
      Effect.gen(function* () {
        const { round, charge } = yield* open(world)
        for (let at = 0; at <= 662; at += 2) {
          yield* TestClock.setTime(charge.createdAt + at * second)
          yield* round
          if (at <= 660) expect(yield* published).toEqual([])
        }
        expect(yield* publishedKinds).toEqual(["expired"])
      }),
    "local",
  )

  scenario("isn't published by a look-up sent within the minute after the last moment to pay", (world) =>
    Effect.gen(function* () {
      const { charge } = yield* open(world)
      const check = new ChargeCheck(yield* publishing(reconcilerPorts))
      for (const seconds of [599, 601, 660]) {
        yield* TestClock.setTime(charge.createdAt + seconds * second)
        yield* check.run(yield* anUnpaid(charge))
      }
      expect(yield* published).toEqual([])
      yield* TestClock.setTime(charge.createdAt + 660 * second + 1)
      yield* check.run(yield* anUnpaid(charge))
      expect(yield* publishedKinds).toEqual(["expired"])
    }),
  )

  scenario("isn't published if a payment was recorded before the look-up's answer is", (world) =>
    Effect.gen(function* () {
      const { charge } = yield* open(world)
      const check = new ChargeCheck(yield* publishing(reconcilerPorts))
      yield* TestClock.setTime(charge.createdAt + 700 * second)
      yield* (yield* PixCharges).confirmPayment({
        issuer: charge.issuer,
        txid: charge.txid,
        endToEndId: `E${"1".repeat(31)}`,
        amountCents: charge.amountCents,
        paidAt: charge.createdAt + 1,
      })
      // The bank's answer doesn't show the payment.
      yield* check.run(charge)
      expect(yield* publishedKinds).toEqual(["paid"])
    }),
  )

  scenario("is published by one of two processes", (world) =>
    Effect.gen(function* () {
      const { charge } = yield* open(world)
      const ports = yield* publishing(reconcilerPorts)
      yield* TestClock.setTime(charge.createdAt + 700 * second)
      const both = [new ChargeCheck(ports), new ChargeCheck(ports)].map((check) => check.run(charge))
      yield* Effect.all(both, { concurrency: "unbounded" })
      expect(yield* publishedKinds).toEqual(["expired"])
      expect((yield* find(charge)).version).toBe(2)
    }),
  )

  scenario("can be followed by a payment, which is late", (world) =>
    Effect.gen(function* () {
      const { round, charge } = yield* open(world)
      yield* TestClock.setTime(charge.createdAt + 661 * second)
      yield* round
      yield* pay(world, charge, { paidAt: yield* Clock.currentTimeMillis })
      expect((yield* published).map(({ kind, ...event }) => [kind, "late" in event && event.late])).toEqual([
        ["expired", false],
        ["paid", true],
      ])
    }),
  )

  scenario("isn't published for a charge that expired before a process published the kind", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", ...factKinds)
      const old = yield* anIssuedCharge()
      const { round } = yield* usualKinds
      yield* round
      yield* TestClock.setTime(old.createdAt + 605 * second)
      const later = yield* allKinds
      yield* later.round
      const young = yield* anIssuedCharge()
      yield* TestClock.adjust("2 days")
      yield* later.round
      yield* later.round
      expect((yield* published).map((event) => "charge" in event && event.charge?.chargeId)).toEqual([young.id])
    }),
  )

  scenario("isn't published while the bank calls the charge paid, or shows another charge", (world) =>
    Effect.gen(function* () {
      const { round, charge } = yield* open(world)
      const view = world.bank.view(charge)
      for (const shown of [{ status: "completed" }, { status: "active", isOfAnother: true }]) {
        Object.assign(view, shown)
        yield* (yield* DueChecks).scheduleCharge(yield* anUnpaid(charge), charge.createdAt)
        yield* TestClock.adjust("662 seconds")
        yield* round
      }
      expect(lookUpsOf(world)).toBe(2)
      expect(yield* published).toEqual([])
    }),
  )

  scenario("isn't published without the kind, or for a cancelled charge", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", ...factKinds)
      const { round } = yield* usualKinds
      yield* anIssuedCharge()
      const cancelled = yield* anIssuedCharge()
      yield* (yield* PixCharges).cancel(cancelled.issuer, cancelled.id)
      yield* TestClock.adjust("2 days")
      yield* round
      const all = yield* allKinds
      yield* (yield* DueChecks).scheduleCharge(yield* find(cancelled), yield* Clock.currentTimeMillis)
      yield* all.round
      expect(yield* published).toEqual([])
    }),
  )
})

describe("a charge that the bank removed", () => {
  const remove = (world: World, charge: PendingCharge) => Object.assign(world.bank.view(charge), { status: "removed" })

  scenario("is published as cancelled by the bank if it was payable", (world) =>
    Effect.gen(function* () {
      const { round, charge } = yield* open(world, { dueDate: "2026-06-30" })
      remove(world, charge)
      yield* TestClock.adjust("11 minutes")
      yield* round
      yield* round
      expect(yield* published).toMatchObject([{ kind: "cancelled", by: "bank", charge: { chargeId: charge.id } }])
      expect((yield* find(charge))._tag).toBe("Cancelled")
    }),
  )

  scenario("is published as expired, and not as cancelled, if it was no longer payable", (world) =>
    Effect.gen(function* () {
      const { round, charge } = yield* open(world)
      remove(world, charge)
      yield* TestClock.adjust("662 seconds")
      yield* round
      expect(yield* publishedKinds).toEqual(["expired"])
      expect((yield* find(charge))._tag).toBe("Cancelled")
      yield* TestClock.adjust("2 days")
      yield* round
      expect(yield* publishedKinds).toEqual(["expired"])
    }),
  )

  scenario("is published as expired once if the bank removes it after that was published", (world) =>
    Effect.gen(function* () {
      const { round, charge } = yield* open(world)
      yield* TestClock.adjust("662 seconds")
      yield* round
      remove(world, charge)
      yield* TestClock.setTime(charge.watchUntil + 2 * second)
      yield* round
      expect((yield* find(charge))._tag).toBe("Cancelled")
      expect(yield* publishedKinds).toEqual(["expired"])
    }),
  )

  scenario("is published as cancelled by its terms if the bank refuses them", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", ...factKinds)
      const { round } = yield* allKinds
      world.bank.lastRegisterWins()
      world.bank.fail("change", "rejected")
      const id = crypto.randomUUID()
      yield* Effect.all(
        [1000, 2000].map((amountCents) => Effect.exit(anIssuedCharge({ id, amountCents, dueDate: "2026-06-30" }))),
        { concurrency: "unbounded" },
      )
      yield* TestClock.adjust("11 minutes")
      yield* round
      expect(yield* published).toMatchObject([{ kind: "cancelled", by: "terms" }])
    }),
  )
})

scenario("a sweep of a process without `expired` forgets since when it is published", (world) =>
  Effect.gen(function* () {
    const { round, charge } = yield* open(world)
    yield* TestClock.adjust("50 seconds")
    yield* round
    const { expiryEventsSince } = yield* Reconciliations
    expect(yield* expiryEventsSince(charge.issuer)).toBe(charge.createdAt)
    yield* TestClock.adjust(day)
    yield* (yield* usualKinds).round
    expect(yield* expiryEventsSince(charge.issuer)).toBeUndefined()
  }),
)

describe("a cancellation", () => {
  const charges = Effect.map(Layer.build(Layer.fresh(PixCharges.layer)).pipe(publishing), (context) =>
    Context.get(context, PixCharges),
  )

  scenario("is published once, as the host's or as an operator's, without the operator's name", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", ...factKinds)
      const { cancel } = yield* charges
      const [one, other] = [yield* anIssuedCharge(), yield* anIssuedCharge()]
      for (let time = 0; time < 2; time++) {
        yield* cancel(one.issuer, one.id)
        yield* cancel(other.issuer, other.id).pipe(Effect.provideService(Actor, "ana@loja"))
      }
      const events = yield* published
      const byCharge = new Map(events.map((event) => ["charge" in event && event.charge?.chargeId, event]))
      expect(events).toHaveLength(2)
      expect(byCharge.get(one.id)).toMatchObject({ kind: "cancelled", by: "host", occurredAt: one.createdAt })
      expect(byCharge.get(other.id)).toMatchObject({ kind: "cancelled", by: "portal" })
      expect(JSON.stringify(events)).not.toContain("ana")
    }),
  )

  scenario("isn't published for a paid charge", (world) =>
    Effect.gen(function* () {
      addEndpoint(world, "loja", ...factKinds)
      const { charge } = yield* pay(world, yield* anIssuedCharge())
      expect(yield* failureTag((yield* charges).cancel(charge.issuer, charge.id))).toBe("ChargeAlreadyPaid")
      expect(yield* publishedKinds).toEqual(["paid"])
    }),
  )
})
