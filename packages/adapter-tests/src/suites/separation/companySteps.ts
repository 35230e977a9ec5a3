import {
  Actor,
  AuditLog,
  ChargeCounts,
  ChargeLists,
  ChargeStore,
  DueChecks,
  ExceptionStore,
  Outbox,
  PayerData,
  type QueueLease,
} from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aCancelledCharge, aFailedRefund } from "../../fixtures/Charges.ts"
import { commit, commitException, find, refundCharge, refundingState, requestRefund, settleCharge } from "../commits.ts"
import { claimQueues, leaseMs, listDeliveries } from "../outbox/queue.ts"
import {
  aPaymentBy,
  aReturnedPart,
  charges,
  endpoints,
  endToEndIds,
  eventIds,
  interleaveLooks,
  momentFor,
  newCharge,
  payerIds,
  type Step,
  storedCharge,
  storedException,
} from "./CompanyWorld.ts"
import { sent } from "./queueSteps.ts"

const whole = { from: 0, until: 4e12 }

/** A wait longer than the last company's turn. */
const waitMs = 10 * 3_600_000

/** Reads all data that a company can read. */
const readAll: Step = (actor) =>
  Effect.gen(function* () {
    const { issuer } = actor
    const lists = yield* ChargeLists
    const exceptions = yield* ExceptionStore
    const outbox = yield* Outbox
    const payers = yield* PayerData
    const audit = yield* AuditLog
    const counts = yield* ChargeCounts
    const page = { limit: 100 }
    const eventId = eventIds.refunded.paid
    return yield* Effect.all(
      {
        found: Effect.all(
          Object.values(charges).map(({ id }) => find({ issuer, id })),
          { concurrency: "unbounded" },
        ),
        charges: lists.charges(issuer, whole, page),
        paid: lists.charges(issuer, { ...whole, status: { is: "paid", at: 0 } }, page),
        named: Effect.forEach(["ana", ...Object.values(payerIds), ...Object.values(endToEndIds(actor))], (text) =>
          lists.charges(issuer, { ...whole, text }, page),
        ),
        called: Effect.forEach(Object.values(charges), ({ id, transactionId }) =>
          Effect.all([
            lists.charges(issuer, { ...whole, text: id }, page),
            lists.charges(issuer, { ...whole, text: transactionId }, page),
          ]),
        ),
        payments: lists.payments(issuer, whole, page),
        payment: lists.payment(issuer, endToEndIds(actor).further),
        returns: lists.returns(issuer, whole, page),
        returnsOf: lists.returnsOf(issuer, Object.values(endToEndIds(actor))),
        counts: Effect.map(
          counts.count(issuer, {
            bounds: [whole.from, momentFor(actor), whole.until],
            ages: [1],
            now: momentFor(actor),
          }),
          (rows) => new Set(rows.map((row) => Object.values(row).join(" "))),
        ),
        open: exceptions.listOpen(issuer, page),
        exceptions: exceptions.search(issuer, whole, page),
        exceptionsOf: exceptions.ofCharge(newCharge(actor, "paid"), 100),
        further: exceptions.find(issuer, endToEndIds(actor).further),
        unmatched: exceptions.find(issuer, endToEndIds(actor).unmatched),
        deliveries: listDeliveries({}, issuer),
        deliveriesOfCharge: listDeliveries({ chargeId: charges.refunded.id }, issuer),
        waiting: outbox.queueDepth(issuer, "loja"),
        attempts: outbox.attempts(issuer, eventId, "loja"),
        // The store chooses times and ids.
        audit: Effect.forEach(
          [{}, { chargeId: charges.paid.id }, { endToEndId: endToEndIds(actor).unmatched }],
          (filter) =>
            Effect.map(audit.list(issuer, filter, page), ({ items }) =>
              items.map(({ cnpj, by, change }) => ({ cnpj, by, change })),
            ),
        ),
        payers: Effect.forEach(Object.values(payerIds), (taxId) => payers.export(issuer, taxId)),
      },
      { concurrency: "unbounded" },
    )
  })

const commitMove = (change: Parameters<typeof commit>[0]) =>
  Effect.map(commit(change), ({ moved }) => expect(moved).toBe(true))

const issue: Step = (actor) =>
  Effect.gen(function* () {
    const store = yield* ChargeStore
    for (const which of ["paid", "pending", "refunded"] as const) {
      expect(yield* store.insert(newCharge(actor, which))).toEqual({ _tag: "Inserted" })
    }
  })

const pay: Step = (actor) =>
  Effect.gen(function* () {
    for (const which of ["paid", "refunded"] as const) {
      yield* settleCharge(
        yield* storedCharge(actor, which, "Pending"),
        aPaymentBy(actor, which),
        endpoints,
        eventIds[which],
      )
    }
  })

const payFurther: Step = (actor) =>
  Effect.gen(function* () {
    const charge = yield* storedCharge(actor, "paid", "Paid")
    const returns = [aReturnedPart(actor, "paid", "D1"), aReturnedPart(actor, "further", "D1")]
    const facts = yield* commit(aChange(charge, { payments: [aPaymentBy(actor, "further")], returns }))
    expect(facts).toEqual({ moved: false, freshPayments: [endToEndIds(actor).further], foreignPayments: [] })
    expect(yield* (yield* ChargeStore).recordUnmatched(aPaymentBy(actor, "unmatched"))).toBe(true)
  })

const refundException: Step = (actor) =>
  Effect.gen(function* () {
    const refunding = refundingState(momentFor(actor, 60_000))
    const payment = aPaymentBy(actor, "unmatched")
    const audit = { kind: "exceptionRefundRequested", endToEndId: payment.endToEndId } as const
    const committed = Effect.provideService(commitException(payment, refunding, { audit }), Actor, `p${actor.number}`)
    expect(yield* committed).toBe(true)
  })

const checkException: Step = (actor) =>
  Effect.gen(function* () {
    const checks = yield* DueChecks
    const now = momentFor(actor, 60_000)
    const [taken, ...others] = yield* checks.claimExceptions({ now, limit: 10, leaseMs })
    expect([taken?.payment.issuer, others]).toEqual([actor.issuer, []])
    yield* checks.scheduleException(yield* storedException(actor), now + waitMs)
  })

const returnException: Step = (actor) =>
  Effect.gen(function* () {
    const payment = aPaymentBy(actor, "unmatched")
    const [stale, fresh] = [aReturnedPart(actor, "unmatched", "D1"), aReturnedPart(actor, "unmatched", "D2")]
    expect(yield* commitException(payment, { _tag: "Open" }, { expectedVersion: 0, returns: [stale] })).toBe(false)
    const { version } = yield* storedException(actor)
    expect(yield* commitException(payment, { _tag: "Open" }, { expectedVersion: version, returns: [fresh] })).toBe(true)
  })

const checkCharge: Step = (actor) =>
  Effect.gen(function* () {
    const checks = yield* DueChecks
    const now = momentFor(actor, 60_000)
    const [taken, ...others] = yield* checks.claimCharges({ now, limit: 10, leaseMs })
    expect([taken?.issuer, others]).toEqual([actor.issuer, []])
    yield* checks.scheduleCharge(yield* storedCharge(actor, "pending", "Pending"), now + waitMs)
  })

const failDelivery: Step = (actor) =>
  sent({ ...actor, endpointId: "loja" }, { _tag: "Retry", at: momentFor(actor, 100_000) }, momentFor(actor, 90_000))

const deliver: Step = (actor) =>
  Effect.forEach(endpoints, (endpointId) =>
    sent({ ...actor, endpointId }, { _tag: "Delivered" }, momentFor(actor, 110_000)),
  )

const replay: Step = (actor) =>
  Effect.gen(function* () {
    const outbox = yield* Outbox
    const now = momentFor(actor, 120_000)
    expect(yield* outbox.replay(actor.issuer, { chargeId: charges.refunded.id }, now)).toBe(2)
    const eventId = eventIds.paid.paid
    expect(yield* outbox.replay(actor.issuer, { eventId, chargeId: charges.paid.id, period: whole }, now)).toBe(2)
  })

const withdraw: Step = (actor) =>
  Effect.gen(function* () {
    const { id } = charges.paid
    expect(yield* (yield* Outbox).supersede(actor.issuer, id, momentFor(actor, 130_000))).toBe(2)
  })

const failRefund: Step = (actor) =>
  Effect.gen(function* () {
    const refunding = yield* requestRefund(yield* storedCharge(actor, "refunded", "Paid"))
    yield* commitMove(aChange(refunding, { next: aFailedRefund(refunding, `no ${actor.number}`), unsent: "restore" }))
  })

/** Supersedes `paid`, sends `refunded`, and purges both unless the queue is leased. */
const completeRefund: Step = (actor) =>
  Effect.gen(function* () {
    const outbox = yield* Outbox
    yield* refundCharge(yield* storedCharge(actor, "refunded", "Paid"), endpoints, eventIds.refunded)
    const { queues } = yield* claimQueues({ now: whole.until })
    const isToShop = ({ issuer, endpointId }: QueueLease) => issuer === actor.issuer && endpointId === "loja"
    const leases = queues.map(({ lease }) => lease)
    yield* outbox.release(leases.filter(isToShop))
    yield* sent({ ...actor, endpointId: "loja" }, { _tag: "Delivered" }, momentFor(actor, 400_000))
    expect(yield* outbox.purge(momentFor(actor, 500_000))).toBe(2)
    yield* outbox.release(leases.filter((lease) => !isToShop(lease)))
    expect(yield* outbox.purge(momentFor(actor, 500_000))).toBe(1)
  })

const showPage: Step = (actor) =>
  Effect.gen(function* () {
    const log = yield* AuditLog
    const change = { kind: "payerShown", chargeId: charges.paid.id } as const
    yield* Effect.provideService(log.append(actor.issuer, change), Actor, `p${actor.number}`)
  })

const cancel: Step = (actor) =>
  Effect.gen(function* () {
    const pending = yield* storedCharge(actor, "pending", "Pending")
    yield* commitMove(aChange(pending, { next: aCancelledCharge(pending) }))
  })

const erasePayer =
  (which: keyof typeof payerIds, count: number): Step =>
  (actor) =>
    Effect.gen(function* () {
      const payers = yield* PayerData
      expect(yield* payers.erase(actor.issuer, payerIds[which], momentFor(actor, 600_000))).toBe(count)
    })

/** The life of a company's charges, payments and deliveries, with a read of all data between the turns. */
export const companySteps: ReadonlyArray<Step> = interleaveLooks(
  [
    [issue],
    [pay],
    [payFurther, refundException],
    [checkException],
    [returnException, checkCharge],
    [failDelivery],
    [deliver, replay],
    [withdraw, failRefund],
    [completeRefund],
    [showPage],
    [cancel, erasePayer("pending", 1)],
    [erasePayer("settled", 2)],
  ],
  readAll,
)
