import { chargeEvent, type PaidCharge, type PixEvent } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aFailedRefund, cents } from "../../fixtures/Charges.ts"
import { aPayment, aReturn } from "../../fixtures/Payments.ts"
import { commit, insertPaid, paidEventId, refundCharge, refundedEventId, requestRefund } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { due, eventIds, settleAll } from "./queue.ts"

const aPartEvent = (
  { issuer, id, txid, payment }: PaidCharge,
  part: string,
  occurredAt: number,
): PixEvent<"part-refunded"> => ({
  id: `evt_${part}_part`,
  kind: "part-refunded",
  issuer,
  companyName: "Padaria Aurora Ltda",
  occurredAt,
  payment: { chargeId: id, txid, endToEndId: payment.endToEndId, amountCents: payment.amountCents },
  part: { id: part, amountCents: cents(5) },
  returnKind: "outside",
})

/** The ids of all due events, each delivered before the next claim. */
const deliverAll = Effect.fnUntraced(function* (rounds: number) {
  const sent: Array<ReadonlyArray<string>> = []
  for (let round = 0; round < rounds; round++) sent.push(eventIds(yield* settleAll({ _tag: "Delivered" })))
  return sent
})

export const partEventCases = ({ test }: StoreTests): void => {
  test("sends the events of one move one after the other, in their order", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      // Neither ids nor times of the events are in this order.
      const events = ["c", "a", "b"].map((id, index) => aPartEvent(paid, id, index === 1 ? 0 : paid.updatedAt))
      const next = { ...paid, version: paid.version + events.length, updatedAt: paid.updatedAt + 5 }
      const deliveries = events.map((event) => ({ event, endpointId: "loja" }))
      expect(yield* commit(aChange(paid, { next, deliveries }))).toMatchObject({ moved: true })
      yield* refundCharge(next, ["loja"])
      expect(yield* deliverAll(5)).toEqual([...events.map(({ id }) => [id]), [refundedEventId(paid)], []])
    }))

  test("queues the event of a return that a stale change records, once and in its order", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      const [first, second] = ["Z1", "A2"].map((id) => aReturn(paid.payment, { id, amountCents: cents(5) }))
      if (first === undefined || second === undefined) throw new Error("expected two returns")
      const published = [first, second].map(({ id }) => ({
        event: aPartEvent(paid, id, paid.updatedAt),
        endpointId: "loja",
      }))
      const next = { ...paid, version: paid.version + 11 }
      const stale = aChange(paid, { expectedVersion: paid.version + 8, next, returns: [first, second] })
      for (let time = 0; time < 2; time++) {
        const paidAgain = { event: chargeEvent(paid, "Padaria Aurora Ltda"), endpointId: "loja" }
        expect((yield* commit({ ...stale, deliveries: [paidAgain, ...published] })).moved).toBe(false)
        const sent = yield* deliverAll(3)
        expect(sent).toEqual(time === 0 ? [...published.map(({ event }) => [event.id]), []] : [[], [], []])
      }
    }))

  test("doesn't queue the event of a return that it doesn't record, or if another payment settled the charge", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      const further = aPayment(paid)
      const returned = aReturn(further, { id: "D1", amountCents: cents(5) })
      const own = aReturn(paid.payment, { amountCents: cents(5) })
      const next = { ...paid, payment: further, returns: [returned] }
      const events = [aPartEvent(next, "D1", paid.updatedAt), aPartEvent(paid, "D9", paid.updatedAt)]
      const deliveries = events.map((event) => ({ event, endpointId: "loja" }))
      const change = { expectedVersion: 1, next, payments: [further], returns: [returned, own], deliveries }
      expect((yield* commit(aChange(paid, change))).moved).toBe(false)
      expect(yield* due()).toEqual([])
    }))

  test("holds the event of a part back until the move that ends the charge's refund", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja"])
      const refunding = yield* requestRefund(paid)
      const parts = ["Z1", "A2", "M3"].map((id) => {
        const event = aPartEvent(paid, id, paid.updatedAt)
        return {
          returned: aReturn(paid.payment, { id, amountCents: cents(5) }),
          published: { event, endpointId: "loja" },
        }
      })
      const [first, late, unseen] = parts
      if (first === undefined || late === undefined || unseen === undefined) throw new Error("expected three parts")
      const during = { ...refunding, version: refunding.version + 1, returns: [first.returned] }
      const move = aChange(refunding, { next: during, returns: [first.returned], deliveries: [first.published] })
      expect((yield* commit(move)).moved).toBe(true)
      // Decided while the charge was paid.
      const next = { ...paid, version: paid.version + 1, returns: [late.returned] }
      const stale = aChange(paid, { next, returns: [late.returned], deliveries: [late.published] })
      expect((yield* commit(stale)).moved).toBe(false)
      expect(yield* due()).toEqual([])
      const failed = { ...aFailedRefund(during, "sem saldo"), version: during.version + 4 }
      const ended = aChange(
        { ...during, version: during.version + 1 },
        {
          next: failed,
          deliveries: [first.published, late.published],
          unsent: "restore",
        },
      )
      expect((yield* commit(ended)).moved).toBe(true)
      // Decided during the refund.
      const behind = { ...during, version: during.version + 1, returns: [unseen.returned] }
      const staleToo = aChange(during, { next: behind, returns: [unseen.returned], deliveries: [unseen.published] })
      expect((yield* commit(staleToo)).moved).toBe(false)
      const inOrder = [paidEventId(paid), ...parts.map(({ published }) => published.event.id)]
      expect(yield* deliverAll(5)).toEqual([...inOrder.map((id) => [id]), []])
    }))
}
