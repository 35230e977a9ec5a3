import { Bookkeeping, Outbox, type PaymentExceptions, PaymentProcessor, PixCharges } from "@pixcharge/core"
import { type EventKind, factKinds, type PaidCharge } from "@pixcharge/core/charges"
import { aCnpj, aNotice, aReturn, cents, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import { chargeRefundId, partialRefundId } from "../../src/model/charge/Refund.ts"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import {
  addEndpoint,
  anIdleReconciler,
  aPaidOne,
  deliveries,
  failureTag,
  paymentExceptions,
  scenario,
  type World,
} from "../World.ts"

/** The endpoints and kinds of all events, and the published failures. */
const publishedEvents = Effect.flatMap(Outbox, (outbox) =>
  Effect.map(outbox.list(aCnpj, {}, { limit: 100 }), ({ items }) => ({
    names: items.map(({ endpointId, event }) => `${endpointId} ${event.kind}`).toSorted(),
    failures: items.flatMap(({ event }) => (event.kind === "refund-failed" ? [event] : [])),
  })),
)

/** The kinds of the next events, as they are sent. */
const sentKinds = Effect.fnUntraced(function* (rounds: number) {
  const outbox = yield* Outbox
  const kinds: Array<EventKind> = []
  const now = fixtureNow + 7_200_000
  for (let round = 0; round < rounds; round++) {
    const { queues } = yield* outbox.claim({ now, limit: 1, deliveries: 10, leaseMs: 60_000 })
    for (const { lease, due } of queues) {
      for (const { event, attempt: number } of due) {
        kinds.push(event.kind)
        const attempt = { startedAt: now, latencyMs: 1, status: 200 }
        yield* outbox.settle([{ lease, eventId: event.id, number, fate: { _tag: "Delivered" }, attempt }], now)
      }
    }
    yield* outbox.release(queues.map(({ lease }) => lease))
  }
  return kinds
})

const listening = (world: World, ...kinds: ReadonlyArray<EventKind>) => {
  addEndpoint(world, "loja", "paid", "refunded")
  addEndpoint(world, "estornos", "refund-failed", ...kinds)
}

/** Requests a refund that the bank accepts and later doesn't carry out. */
type Ask = (paid: PaidCharge) => Effect.Effect<unknown, { readonly _tag: string }, PixCharges>
const whole: Ask = ({ issuer, id }) => Effect.flatMap(PixCharges, (charges) => charges.refund(issuer, id))
const part: Ask = ({ issuer, id }) =>
  Effect.flatMap(PixCharges, (charges) => charges.refundPart(issuer, id, { key: "a", amountCents: cents(500) }))

describe("a refund that fails", () => {
  for (const [what, ask, amountCents, key] of [
    ["full refund", whole, 1990, undefined],
    ["partial refund", part, 500, "a"],
  ] as ReadonlyArray<readonly [string, Ask, number, string | undefined]>) {
    scenario(`is published once with its reason, to endpoints that list the kind: ${what}`, (world) =>
      Effect.gen(function* () {
        const paid = yield* aPaidOne(world)
        listening(world)
        world.bank.refunds("processing")
        yield* ask(paid)
        expect((yield* publishedEvents).failures).toEqual([])
        const id = partialRefundId(paid.payment, key ?? "all of it", 1)
        world.bank.endRefund(aCnpj, id, "rejected")
        yield* TestClock.adjust("1 hour")
        yield* (yield* anIdleReconciler).round
        const { names, failures } = yield* publishedEvents
        expect(names).toEqual(["estornos refund-failed"])
        const { endToEndId } = paid.payment
        expect(failures).toMatchObject([
          {
            kind: "refund-failed",
            issuer: aCnpj,
            occurredAt: fixtureNow + 3_600_000,
            payment: { chargeId: paid.id, txid: paid.txid, endToEndId, amountCents: 1990 },
            refund: { id, endToEndId, amountCents, reason: expect.any(String) },
          },
        ])
        expect(failures[0]?.refund.key).toBe(key)
        expect(failures[0]?.id).not.toContain(".")
      }),
    )

    scenario(`is published for each request if it fails immediately: ${what}`, (world) =>
      Effect.gen(function* () {
        const paid = yield* aPaidOne(world)
        listening(world, "refunded")
        const ids = new Set<string>()
        for (let round = 1; round <= 2; round++) {
          world.bank.refunds("rejected")
          expect(yield* failureTag(ask(paid))).toBe("RefundRejected")
          const { failures } = yield* publishedEvents
          expect(failures).toHaveLength(round)
          for (const { id } of failures) ids.add(id)
          yield* TestClock.adjust("1 minute")
        }
        expect(ids.size).toBe(2)
        yield* ask(paid)
        expect((yield* publishedEvents).names.filter((name) => name === "estornos refund-failed")).toHaveLength(2)
      }),
    )
  }

  scenario("is published for each request if the bank has no record of its id", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      listening(world)
      Object.assign(yield* PaymentProcessor, { lookupRefund: () => Effect.succeed(undefined) })
      world.bank.refunds("rejected", "rejected")
      expect(yield* failureTag(whole(paid))).toBe("RefundRejected")
      yield* TestClock.adjust("1 minute")
      expect(yield* failureTag(whole(paid))).toBe("RefundRejected")
      const { failures } = yield* publishedEvents
      expect(failures.map(({ refund }) => refund.id)).toEqual([1, 1].map((at) => chargeRefundId(paid.payment, at)))
    }),
  )

  scenario("is published without a charge if its payment settled no charge", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      listening(world)
      const second = aNotice(paid)
      world.bank.receive(paid, second)
      yield* (yield* PixCharges).confirmPayment(second)
      world.bank.refunds("rejected")
      const { refund }: PaymentExceptions["Service"] = yield* paymentExceptions
      expect(yield* failureTag(refund(aCnpj, second.endToEndId))).toBe("ExceptionRefundRejected")
      const { names, failures } = yield* publishedEvents
      expect(names).toEqual(["estornos refund-failed"])
      const { endToEndId, amountCents } = second
      const [failure] = failures
      expect(failure?.refund).toMatchObject({ id: `${endToEndId}X0`, endToEndId, amountCents })
      expect(failure?.payment).toBeUndefined()
      expect(world.rings).toBeGreaterThan(0)
    }),
  )

  scenario(
    "publishes the part that was returned meanwhile, after the unsent `paid`",
    (world) =>
      Effect.gen(function* () {
        addEndpoint(world, "loja", "paid", "part-refunded", "refund-failed")
        const paid = yield* aPaidOne(world)
        world.bank.refunds("processing")
        const refunding = yield* (yield* PixCharges).refund(aCnpj, paid.id)
        const returns = [aReturn(paid.payment, { amountCents: cents(500) })]
        yield* (yield* Bookkeeping).applyView(refunding, { status: "completed", payments: [], returns })
        expect(yield* deliveries).toEqual(["loja paid superseded"])
        world.bank.endRefund(aCnpj, partialRefundId(paid.payment, "all of it", 1), "rejected")
        yield* TestClock.adjust("1 hour")
        yield* (yield* anIdleReconciler).round
        expect(yield* sentKinds(4)).toEqual(["paid", "part-refunded", "refund-failed"])
      }),
    "remote",
    factKinds,
  )
})
