import { AuditLog, type Change, ChargeStore, ExceptionStore } from "@pixcharge/core"
import {
  chargeEvent,
  type PaidCharge,
  type Payment,
  type PendingCharge,
  type RefundedCharge,
} from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import {
  aCancelledCharge,
  aChange,
  aChargeId,
  aFailedRefund,
  aPaidCharge,
  aRefundedCharge,
  aRefundingCharge,
  cents,
} from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { anEndToEndId, aPayment, aReturn } from "../../fixtures/Payments.ts"
import { type StoreHooks, storeTests, type TestedPorts } from "../StoreDriver.ts"
import { commit, find, insertCharge, requestRefund, settleCharge } from "../commits.ts"
import { listDeliveries } from "../outbox/queue.ts"
import { type Actor, expectSeparateLives, momentFor } from "./CompanyWorld.ts"
import { companySteps } from "./companySteps.ts"
import { queueSteps } from "./queueSteps.ts"

const neighbours: ReadonlyArray<Actor> = [
  { issuer: aCnpj, endpointId: "loja", number: 0 },
  { issuer: anotherCnpj, endpointId: "loja", number: 1 },
]
const queues: ReadonlyArray<Actor> = [
  ...neighbours,
  { issuer: aCnpj, endpointId: "parceiro", number: 2 },
  { issuer: anotherCnpj, endpointId: "parceiro", number: 3 },
]

/** Tests that one company's actions don't affect another company on the same store. */
export const separationSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: separation`, () => {
    const tests = storeTests(layer, hooks)

    // Each test makes many calls, which are slow on a busy machine.
    const timeoutMs = 120_000

    it(
      "separates companies whose charges, returns and events have the same ids",
      () => expectSeparateLives(tests, companySteps, neighbours),
      timeoutMs,
    )

    it(
      "sends, counts, lists and purges an event in several queues independently",
      () => expectSeparateLives(tests, queueSteps, queues),
      timeoutMs,
    )

    it(
      "gives concurrent changes of many charges the same results as sequential ones",
      async () => {
        const oneByOne = await tests.onEmptyStore(commitAll(1))
        expect(oneByOne.answers.filter(({ moved }) => moved)).toHaveLength(10)
        expect(await tests.onEmptyStore(commitAll("unbounded"))).toEqual(oneByOne)
      },
      timeoutMs,
    )
  })
}

const companies: ReadonlyArray<Actor> = [aCnpj, anotherCnpj].map((issuer, number) => ({
  issuer,
  endpointId: "loja",
  number,
}))

/** The ids of a charge that both companies have, and of its payments. */
interface Ids {
  readonly id: PendingCharge["id"]
  readonly transactionId: string
  readonly endToEndId: string
  readonly further: string
}

const someIds = (): Ids => ({
  id: aChargeId(),
  transactionId: crypto.randomUUID(),
  endToEndId: anEndToEndId(),
  further: anEndToEndId(),
})

const idsAt = ({ number }: Actor, { endToEndId, further, ...ids }: Ids): Ids => ({
  ...ids,
  endToEndId: `${"EF"[number]}${endToEndId.slice(1)}`,
  further: `${"EF"[number]}${further.slice(1)}`,
})

const makePublished = (charge: PaidCharge | RefundedCharge) =>
  ["loja", "parceiro"].map((endpointId) => ({ event: chargeEvent(charge, "Padaria Aurora Ltda"), endpointId }))

/** Stores a paid charge with a further payment and a waiting event. */
const storeActor = (actor: Actor, { further, endToEndId, ...ids }: Ids) =>
  Effect.gen(function* () {
    const amountCents = cents(1_990 + actor.number)
    const pending = yield* insertCharge({ ...ids, issuer: actor.issuer, amountCents, createdAt: momentFor(actor) })
    const paid = yield* settleCharge(pending, aPayment(pending, { endToEndId }), ["loja", "parceiro"])
    const again = aPayment(paid, { endToEndId: further })
    yield* commit(aChange(paid, { payments: [again] }))
    return { paid, again }
  })

/** A change with a return. The second company has already recorded the return. */
const beginReturn = (actor: Actor, charge: PaidCharge, payment: Payment) =>
  Effect.gen(function* () {
    const change = aChange(charge, { returns: [aReturn(payment, { id: "D1", amountCents: cents(10) })] })
    if (actor.number > 0) yield* commit(change)
    return change
  })

/** The charge whose payment a second charge claims. */
const owner = someIds()

/** Functions that each prepare a charge and return a change of it. */
const preparations = {
  paid: (actor: Actor, { endToEndId, further: _, ...ids }: Ids) =>
    Effect.gen(function* () {
      const charge = yield* insertCharge({ ...ids, issuer: actor.issuer, createdAt: momentFor(actor) })
      const next = aPaidCharge(charge, aPayment(charge, { endToEndId }))
      return aChange(charge, { next, payments: [next.payment], deliveries: makePublished(next) })
    }),
  audited: (actor: Actor, { id, transactionId }: Ids) =>
    Effect.gen(function* () {
      const charge = yield* insertCharge({ id, transactionId, issuer: actor.issuer, createdAt: momentFor(actor) })
      return aChange(charge, { next: aCancelledCharge(charge), audit: { kind: "chargeCancelled", chargeId: id } })
    }),
  anothersPayment: (actor: Actor, { endToEndId, further, ...ids }: Ids) =>
    Effect.gen(function* () {
      // In the second company, no other charge has the payment.
      if (actor.number === 0) yield* storeActor(actor, { ...owner, endToEndId, further })
      const charge = yield* insertCharge({ ...ids, issuer: actor.issuer, createdAt: momentFor(actor) })
      const next = aPaidCharge(charge, aPayment(charge, { endToEndId }))
      return aChange(charge, { next, payments: [next.payment], deliveries: makePublished(next) })
    }),
  refunding: (actor: Actor, ids: Ids) =>
    Effect.map(storeActor(actor, ids), ({ paid }) =>
      aChange(paid, { next: aRefundingCharge(paid), unsent: "supersede" }),
    ),
  refundFailed: (actor: Actor, ids: Ids) =>
    Effect.gen(function* () {
      const refunding = yield* requestRefund((yield* storeActor(actor, ids)).paid)
      return aChange(refunding, { next: aFailedRefund(refunding, "sem saldo"), unsent: "restore" })
    }),
  refunded: (actor: Actor, ids: Ids) =>
    Effect.gen(function* () {
      const refunding = yield* requestRefund((yield* storeActor(actor, ids)).paid)
      const next = aRefundedCharge(refunding)
      // The change is stale in the second company.
      const version = refunding.version - actor.number
      return aChange({ ...refunding, version }, { next, returns: next.returns, deliveries: makePublished(next) })
    }),
  returned: (actor: Actor, ids: Ids) =>
    Effect.flatMap(storeActor(actor, ids), ({ paid }) => beginReturn(actor, paid, paid.payment)),
  furtherReturned: (actor: Actor, ids: Ids) =>
    Effect.flatMap(storeActor(actor, ids), ({ paid, again }) => beginReturn(actor, paid, again)),
  stale: (actor: Actor, ids: Ids) =>
    Effect.map(storeActor(actor, ids), ({ paid }) =>
      aChange({ ...paid, version: paid.version - 1 }, { next: aRefundingCharge(paid), unsent: "supersede" }),
    ),
}

const idsOf = Object.keys(preparations).map(someIds)

/** All data of the companies about the charges and about the payments of the changes. */
const readCompanies = Effect.gen(function* () {
  const exceptions = yield* ExceptionStore
  const audit = yield* AuditLog
  return yield* Effect.forEach(companies, (actor) => {
    const { issuer } = actor
    return Effect.all([
      Effect.forEach(idsOf, ({ id }) => find({ issuer, id })),
      Effect.forEach(idsOf, (ids) => exceptions.find(issuer, idsAt(actor, ids).further)),
      Effect.forEach(idsOf, ({ id }) => listDeliveries({ chargeId: id }, issuer)),
      Effect.map(audit.list(issuer, {}, { limit: 100 }), ({ items }) => items.map(({ change }) => change)),
    ])
  })
})

/**
 * Prepares changes of charges that both companies have, few enough for one batch, and commits them concurrently or one after
 * the other. Returns the results.
 */
export const commitAll = (concurrency: "unbounded" | 1) =>
  Effect.gen(function* () {
    const changes: Array<Change> = []
    // The companies alternate, because a store can split concurrent calls, and each part must have changes of both companies.
    for (const [index, prepare] of Object.values(preparations).entries()) {
      for (const actor of companies) changes.push(yield* prepare(actor, idsAt(actor, idsOf[index] ?? someIds())))
    }
    const store = yield* ChargeStore
    const answers = yield* Effect.all(changes.map(store.commit), { concurrency })
    return { answers, companies: yield* readCompanies }
  })
