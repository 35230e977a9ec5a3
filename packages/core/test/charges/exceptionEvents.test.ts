import {
  aCancelledCharge,
  aCnpj,
  aNotice,
  anEndToEndId,
  aPaidCharge,
  aPayment,
  aPendingCharge,
  aReturn,
  cents,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import { Bookkeeping, CallbackEndpoints, ChargeStore, CompanyDirectory, Outbox, PixCharges } from "@pixcharge/core"
import {
  type Charge,
  chargeTxid,
  defaultKinds,
  factKinds,
  type PaymentNotice,
  type Return,
} from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import {
  addEndpoint,
  aPaidOne,
  aRequest,
  anIssuedCharge,
  failureTag,
  issue,
  paymentExceptions,
  scenario,
} from "../World.ts"
import { makeNewExceptions } from "../../src/services/charges/newExceptions.ts"

const kinds = ["paid", "exception", "exception-returned", "refund-failed"] as const

/** A scenario with an endpoint for the events of exceptions, in an instance that publishes every kind. */
const published = (title: string, body: Parameters<typeof scenario>[1]): void =>
  scenario(
    title,
    (world) =>
      Effect.gen(function* () {
        addEndpoint(world, "loja", ...kinds)
        yield* body(world)
      }),
    "remote",
    factKinds,
  )

const allEvents = Effect.map(
  Effect.flatMap(Outbox, (outbox) => outbox.list(aCnpj, {}, { limit: 100 })),
  ({ items }) =>
    items.flatMap(({ event }) => {
      if (event.kind === "exception") return [`${event.exception.endToEndId} is ${event.exception.reason}`]
      if (event.kind === "exception-returned") return [`${event.exception.endToEndId} returned by ${event.returnKind}`]
      return event.kind === "paid" ? [`${event.payment.endToEndId} paid`] : []
    }),
)

const received = (notice: PaymentNotice, returns: ReadonlyArray<Return> = []) =>
  Effect.flatMap(Bookkeeping, (books) => books.recordReceivedPayment({ ...notice, returns }))

const applyView = (charge: Charge, payments: ReadonlyArray<PaymentNotice>, returns: ReadonlyArray<Return> = []) =>
  Effect.flatMap(Bookkeeping, (books) => books.applyView(charge, { status: "completed", payments, returns }))

const noticeOf = (charge: Charge, overrides: Partial<PaymentNotice> = {}) => ({ ...aNotice(charge), ...overrides })

const returnOf = (notice: PaymentNotice, overrides: Partial<Return> = {}): Return =>
  aReturn({ ...notice, recordedAt: fixtureNow, late: false, otherAmount: false }, overrides)

const unmatched = (): PaymentNotice => ({
  issuer: aCnpj,
  endToEndId: anEndToEndId(),
  amountCents: cents(500),
  paidAt: fixtureNow,
})

describe("the events of exceptions", () => {
  published("tell a further payment once, from a notice, a list and a look-up", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const first = `${paid.payment.endToEndId} paid`
      const [byNotice, byList, byView] = [noticeOf(paid), noticeOf(paid), noticeOf(paid)]
      const charges = yield* PixCharges
      for (let time = 0; time < 2; time++) {
        yield* charges.confirmPayment(byNotice)
        yield* received(byList)
        yield* applyView(paid, [paid.payment, byView])
      }
      const all = [byNotice, byList, byView].map(({ endToEndId }) => `${endToEndId} is furtherPayment`)
      expect((yield* allEvents).toSorted()).toEqual([first, ...all].toSorted())
    }),
  )

  published("tell a payment of a cancelled charge, even if it was read while pending", () =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      yield* (yield* PixCharges).cancel(aCnpj, charge.id)
      const [late, stale] = [noticeOf(charge), noticeOf(charge)]
      yield* received(late)
      yield* Effect.flatMap(Bookkeeping, (books) => books.recordReceivedPayment({ ...stale, returns: [] }, charge))
      expect((yield* allEvents).toSorted()).toEqual(
        [late, stale].map(({ endToEndId }) => `${endToEndId} is cancelledCharge`).toSorted(),
      )
    }),
  )

  published("go with a commit for each reason that the charge can give at that time", () =>
    Effect.gen(function* () {
      const [directory, endpoints] = [yield* CompanyDirectory, yield* CallbackEndpoints]
      const { ofMove } = makeNewExceptions({ directory, endpoints, published: factKinds })
      const pending = aPendingCharge()
      const payment = aPayment(pending)
      const paid = aPaidCharge(pending)
      const byAnother = { ...paid, payment: aPayment(pending) }
      const reasonsOf = (charge: Charge, next?: Charge) =>
        Effect.map(ofMove(charge, { payments: [payment], returns: [], ...(next && { next }) }), (all) =>
          all.map(({ event: { exception } }) => [exception.endToEndId, exception.reason]),
        )
      const ofPayment = (reason: string) => [payment.endToEndId, reason]
      expect(yield* reasonsOf(pending, paid)).toEqual([ofPayment("furtherPayment"), ofPayment("cancelledCharge")])
      expect(yield* reasonsOf(aCancelledCharge(pending))).toEqual([ofPayment("cancelledCharge")])
      expect(yield* reasonsOf(paid)).toEqual([ofPayment("furtherPayment")])
      const replaced = [paid.payment.endToEndId, "furtherPayment"]
      expect(yield* reasonsOf(paid, byAnother)).toEqual([ofPayment("furtherPayment"), replaced])
    }),
  )

  published("don't tell the payment that settles a charge which another process has moved meanwhile", () =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      const { issuer, id } = charge
      const notice = noticeOf(charge)
      const store = yield* ChargeStore
      const { find, commit } = store
      const moves = [1, 2]
      const move = (read: Charge | undefined) => {
        if (read === undefined || moves.pop() === undefined) return Effect.succeed(undefined)
        const { version } = read
        const next = { ...read, version: version + 1 }
        return commit({ issuer, id, expectedVersion: version, next, payments: [], returns: [], deliveries: [] })
      }
      Object.assign(store, { find: (...args: Parameters<typeof find>) => Effect.tap(find(...args), move) })
      yield* (yield* PixCharges).confirmPayment(notice)
      expect(yield* allEvents).toEqual([`${notice.endToEndId} paid`])
      expect(moves).toEqual([])
    }),
  )

  published("don't tell the payment that settles a charge which a resolved exception was meant to settle", () =>
    Effect.gen(function* () {
      const request = aRequest()
      const { id, amountCents } = request
      const named = () => ({ ...unmatched(), txid: chargeTxid(aCnpj, id), amountCents })
      const [first, second] = [named(), { ...named(), paidAt: fixtureNow + 1 }]
      yield* received(first)
      yield* Effect.flatMap(paymentExceptions, ({ resolve }) => resolve(aCnpj, first.endToEndId, "pedido 12"))
      const charge = yield* applyView(yield* issue(request), [first, second])
      expect(charge).toMatchObject({ _tag: "Paid", payment: { endToEndId: second.endToEndId } })
      expect(yield* allEvents).toEqual([`${second.endToEndId} paid`, `${first.endToEndId} is unmatched`])
    }),
  )

  published("tell an unmatched payment, and `paid` once its charge is issued", () =>
    Effect.gen(function* () {
      const request = aRequest()
      const notice = { ...unmatched(), txid: chargeTxid(aCnpj, request.id), amountCents: request.amountCents }
      yield* received(notice)
      yield* received(notice)
      expect(yield* allEvents).toEqual([`${notice.endToEndId} is unmatched`])
      const charge = yield* issue(request)
      yield* applyView(charge, [notice])
      expect(yield* allEvents).toContainEqual(`${notice.endToEndId} paid`)
      expect(yield* allEvents).toHaveLength(2)
    }),
  )

  published("tell a payment and its return that come together, in order, and each once", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const [further, unknown] = [noticeOf(paid), unmatched()]
      for (const notice of [further, unknown]) {
        for (let time = 0; time < 2; time++) yield* received(notice, [returnOf(notice, { kind: "dispute" })])
      }
      const events = yield* allEvents
      for (const { endToEndId } of [further, unknown]) {
        const its = events.filter((one) => one.startsWith(endToEndId)).toSorted()
        const reason = endToEndId === further.endToEndId ? "furtherPayment" : "unmatched"
        expect(its).toEqual([`${endToEndId} is ${reason}`, `${endToEndId} returned by dispute`])
      }
    }),
  )

  published("tell the whole return of an unknown payment even if a process died after recording both", (world) =>
    Effect.gen(function* () {
      const notice = unmatched()
      world.storeFaults.set("recordUnmatched", "answerLost")
      const told = [`${notice.endToEndId} returned by outside`, `${notice.endToEndId} is unmatched`]
      expect(yield* failureTag(received(notice, [returnOf(notice)]))).toBe("StoreUnavailable")
      expect(yield* allEvents).toEqual(told)
      yield* received(notice, [returnOf(notice)])
      expect(yield* allEvents).toEqual(told)
    }),
  )

  published("tell the whole return: by our refund, in parts, and despite a decision to keep the payment", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const [refunded, inParts, kept] = [noticeOf(paid), noticeOf(paid), noticeOf(paid)]
      for (const notice of [refunded, inParts, kept]) {
        world.bank.receive(paid, notice)
        yield* received(notice)
      }
      const { refund, resolve } = yield* paymentExceptions
      yield* refund(aCnpj, refunded.endToEndId)
      yield* resolve(aCnpj, kept.endToEndId, "pedido 12")
      const half = cents(inParts.amountCents / 2)
      const parts = [
        returnOf(inParts, { amountCents: half }),
        returnOf(inParts, { amountCents: half, kind: "dispute", returnedAt: fixtureNow + 9_000_000 }),
      ]
      yield* received(inParts, parts.slice(0, 1))
      expect(yield* allEvents).not.toContainEqual(`${inParts.endToEndId} returned by outside`)
      yield* received(inParts, parts)
      // The charge's commit records this return without a move.
      for (let time = 0; time < 2; time++) yield* applyView(paid, [paid.payment, kept], [returnOf(kept)])
      yield* received(kept, [returnOf(kept)])
      const events = (yield* allEvents).filter((one) => one.includes("returned"))
      expect(events.toSorted()).toEqual(
        [
          `${refunded.endToEndId} returned by refund`,
          `${inParts.endToEndId} returned by dispute`,
          `${kept.endToEndId} returned by outside`,
        ].toSorted(),
      )
    }),
  )

  published("tell the end of a kept payment even if a process died after recording its return", (world) =>
    Effect.gen(function* () {
      const paid = yield* aPaidOne(world)
      const kept = noticeOf(paid)
      yield* received(kept)
      yield* Effect.flatMap(paymentExceptions, ({ resolve }) => resolve(aCnpj, kept.endToEndId, "pedido 12"))
      const returned = returnOf(kept)
      const store = yield* ChargeStore
      const { issuer, id, version } = paid
      yield* store.commit({ issuer, id, expectedVersion: version, payments: [], returns: [returned], deliveries: [] })
      for (let time = 0; time < 2; time++) yield* received(kept, [returned])
      expect((yield* allEvents).filter((one) => one.includes("returned"))).toEqual([
        `${kept.endToEndId} returned by outside`,
      ])
    }),
  )

  scenario("are not published by default", (world) =>
    Effect.gen(function* () {
      expect(defaultKinds).not.toContain("exception")
      addEndpoint(world, "loja", ...kinds)
      const paid = yield* aPaidOne(world)
      yield* received(noticeOf(paid), [])
      yield* received(unmatched(), [])
      expect(yield* allEvents).toEqual([`${paid.payment.endToEndId} paid`])
    }),
  )
})
