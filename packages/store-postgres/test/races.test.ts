import type { Change, DueDelivery, QueueLease, Settlement } from "@pixcharge/core"
import { chargeEvent, type PaidCharge, type PendingCharge } from "@pixcharge/core/charges"
import {
  aChange,
  aCancelledCharge,
  aChargeId,
  aCnpj,
  aPaidCharge,
  aPayment,
  aPendingCharge,
  aRecurrence,
  aRefundedCharge,
  aRefundingCharge,
  aReturn,
  aTestEvent,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import pg from "pg"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { realPostgres, untilBlocking, waitMs, withoutLockTimeout } from "@pixcharge/verify/postgres"
import { replayDeliveries } from "../src/outbox/operations.sql.ts"
import { schemaName } from "../src/sql/SchemaName.ts"
import { migratePartitioned } from "./migratePartitioned.ts"
import { openStore, run } from "./openStore.ts"
import { otherSession } from "./otherSession.ts"

const pool = await realPostgres()
const rounds = process.env["LONG"] ? 200 : 12

/** Opens stores like separate processes: each has its own pool and batches. */
const processes = async (count: number) => {
  const pools = Array.from({ length: count }, () => new pg.Pool({ ...pool.options, max: 5 }))
  onTestFinished(async () => {
    await Promise.all(pools.map((one) => one.end()))
  })
  return Promise.all(pools.map((db) => openStore({ db })))
}

const counts = async (sql: string): Promise<Record<string, number>> => (await pool.query(sql)).rows[0]

const truncate =
  "TRUNCATE pixcharge.charges, pixcharge.payments, pixcharge.returns, pixcharge.deliveries, pixcharge.settled_deliveries, pixcharge.delivery_attempts, pixcharge.queue_leases"

// The tables are partitioned, because Postgres 18.4 crashed after a wait for a partition's row in a join.
beforeAll(() => migratePartitioned(pool, "pixcharge"))

describe("several processes together", () => {
  it("insert one of 64 charges with the same id, and all other calls return that charge", async () => {
    const stores = await processes(4)
    for (let round = 0; round < rounds; round++) {
      const id = aChargeId()
      const attempts = Array.from({ length: 64 }, () => aPendingCharge({ id }))
      const answers = await Promise.all(attempts.map((charge, index) => run(stores[index % 4]!.store.insert(charge))))
      const winners = attempts.filter((_, index) => answers[index]?._tag === "Inserted")
      expect(winners).toHaveLength(1)
      for (const answer of answers) {
        if (answer._tag === "Exists") expect(answer.charge).toEqual(winners[0])
      }
    }
  })

  it("pay and refund charges: every payment is recorded, one payment settles each charge, and each event is published once", async () => {
    const stores = await processes(4)
    await pool.query(truncate)
    let charges = 0
    for (let round = 0; round < rounds; round++) {
      const made = Array.from({ length: 6 }, () => aPendingCharge())
      await Promise.all(made.map((charge) => run(stores[0]!.store.insert(charge))))
      charges += made.length
      await Promise.all(made.flatMap((charge) => stores.map(({ store }, index) => playPart(store, charge, index))))
    }
    expect(
      await counts(`
        SELECT
          (SELECT count(*)::int FROM pixcharge.payments) AS payments,
          (SELECT count(*)::int FROM pixcharge.payments WHERE settles) AS settling,
          (SELECT count(*)::int FROM pixcharge.charges WHERE state IN ('refunding', 'refunded')) AS moved,
          (SELECT count(*)::int FROM pixcharge.charges c WHERE settled_by IS NULL OR NOT EXISTS (
            SELECT 1 FROM pixcharge.payments p
            WHERE p.issuer = c.issuer AND p.end_to_end_id = c.settled_by AND p.charge_id = c.id AND p.settles
          )) AS adrift,
          (SELECT count(*)::int FROM pixcharge.deliveries WHERE kind = 'paid') AS published,
          (SELECT count(*)::int FROM pixcharge.returns) AS returns,
          (SELECT count(*)::int FROM pixcharge.charges WHERE state = 'refunded') AS refunded`),
    ).toMatchObject({ payments: charges * 3, settling: charges, moved: charges, adrift: 0, published: charges })
    const { returns, refunded } = await counts(`
      SELECT (SELECT count(*)::int FROM pixcharge.returns) AS returns,
        (SELECT count(*)::int FROM pixcharge.charges WHERE state = 'refunded') AS refunded`)
    expect(returns).toBe(refunded)
  })

  it("pay and cancel a charge: it is paid, or it is cancelled and the payment is an exception", async () => {
    const [first, second] = await processes(2)
    for (let round = 0; round < rounds; round++) {
      const charge = aPendingCharge()
      await run(first!.store.insert(charge))
      const payment = aPayment(charge)
      const [pay, cancel] = await Promise.all([
        run(first!.store.commit(aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] }))),
        run(second!.store.commit(aChange(charge, { next: aCancelledCharge(charge) }))),
      ])
      expect([pay.moved, cancel.moved].toSorted()).toEqual([false, true])
      expect(pay.freshPayments).toEqual([payment.endToEndId])
      const exception = await run(first!.exceptions.find(charge.issuer, payment.endToEndId))
      expect(exception?.reason).toBe(pay.moved ? undefined : "cancelledCharge")
    }
  })

  it("record a payment as unmatched and pay its charge with it in any order, without losing it", async () => {
    const [first, second] = await processes(2)
    for (let round = 0; round < rounds; round++) {
      const charge = aPendingCharge()
      await run(first!.store.insert(charge))
      const payment = aPayment(charge)
      const { chargeId: _, ...unmatched } = payment
      const [fresh, pay] = await Promise.all([
        run(second!.store.recordUnmatched(unmatched)),
        run(first!.store.commit(aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] }))),
      ])
      expect(pay.moved).toBe(true)
      expect(fresh).toBe(pay.freshPayments.length === 0)
    }
  })

  it("don't settle a charge with a payment whose return is recorded meanwhile", async () => {
    const { store, exceptions } = await openStore({ db: withoutLockTimeout(pool) })
    const charge = aPendingCharge()
    await run(store.insert(charge))
    const payment = aPayment(charge)
    const { issuer, endToEndId } = payment
    const { chargeId: _, ...unmatched } = payment
    await run(store.recordUnmatched(unmatched))
    const other = await otherSession(pool, (client) =>
      openStore({ db: client }).then((theirs) => {
        const returned = aReturn(payment)
        const next = { _tag: "Refunded" as const, refundId: returned.id, refundedAt: returned.returnedAt }
        return run(
          theirs.exceptions.commit({
            issuer,
            endToEndId,
            expectedVersion: 0,
            movedAt: fixtureNow,
            next,
            returns: [returned],
          }),
        )
      }),
    )
    const settling = run(store.commit(aChange(charge, { next: aPaidCharge(charge, payment), payments: [payment] })))
    await untilBlocking(other.client, pool)
    await other.end()
    expect(await settling).toEqual({ moved: false, freshPayments: [], foreignPayments: [] })
    expect((await run(store.find(charge.issuer, charge.id)))?._tag).toBe("Pending")
    expect(await run(exceptions.find(issuer, endToEndId))).toMatchObject({ state: { _tag: "Refunded" } })
  })

  it("record a return once, however each of them spells its id", async () => {
    const stores = await processes(4)
    for (let round = 0; round < rounds; round++) {
      const charge = aPendingCharge()
      const payment = aPayment(charge)
      const paid = aPaidCharge(charge, payment)
      await run(stores[0]!.store.insert(charge))
      await run(stores[0]!.store.commit(aChange(charge, { next: paid, payments: [payment] })))
      const ids = ["Dab12", "DAB12", "dab12", "daB12"]
      await Promise.all(
        ids.map((id, index) =>
          run(stores[index]!.store.commit(aChange(paid, { returns: [aReturn(payment, { id })] }))),
        ),
      )
      expect((await run(stores[0]!.store.find(charge.issuer, charge.id)))?.returns).toHaveLength(1)
    }
  })

  it("erase a payer during an insertion or a move, either wholly or not at all", async () => {
    const [first, second] = await processes(2)
    const payer = { name: "Ana", taxId: "52998224725" as never }
    for (let round = 0; round < rounds; round++) {
      const { payer: _, ...others } = aPendingCharge()
      const charge: PendingCharge = { ...others, payer }
      const erase = () => run(second!.payers.erase(charge.issuer, payer.taxId, fixtureNow))
      const [erased] = await Promise.all([erase(), run(first!.store.insert(charge))])
      const found = () => run(first!.store.find(charge.issuer, charge.id))
      expect(await found()).toEqual({ ...others, ...(erased === 0 ? { payer } : { payerErasedAt: fixtureNow }) })
      const next = aPaidCharge(charge)
      await Promise.all([erase(), run(first!.store.commit(aChange(charge, { next, payments: [next.payment] })))])
      const { payer: _payer, ...paid } = next
      expect(await found()).toEqual({ ...paid, payerErasedAt: fixtureNow })
    }
  })

  it("erase a payer while a recurrence is offered: the erasure fails, or it comes before the recurrence", async () => {
    const [first, second] = await processes(2)
    for (let round = 0; round < rounds; round++) {
      const taxId = String(10_000_000_000 + round) as never
      const payer = { name: "Ana", taxId }
      const charge = aPendingCharge({ payer })
      await run(first!.store.insert(charge))
      const offered = aRecurrence({ payer })
      const [erased] = await Promise.all([
        run(Effect.result(second!.payers.erase(aCnpj, taxId, fixtureNow))),
        run(first!.recurrences.insert(offered, fixtureNow)),
      ])
      expect(await run(first!.recurrences.find(aCnpj, offered.id))).toEqual(offered)
      expect((await run(first!.store.find(aCnpj, charge.id)))?.payer).toEqual(
        Result.isFailure(erased) ? payer : undefined,
      )
    }
  })

  it("delay an erasure until another process has ended the payer's recurrence", async () => {
    const { recurrences, payers } = await openStore({ db: withoutLockTimeout(pool) })
    const requested = aRecurrence()
    await run(recurrences.insert(requested, fixtureNow))
    const key = `issuer = '${aCnpj}' AND id = '${requested.id}'`
    const other = await otherSession(pool, (client) =>
      client.query(
        `UPDATE pixcharge.recurrences SET state = 'ended', end_reason = 'declined', ended_at = now() WHERE ${key}`,
      ),
    )
    const erasing = run(payers.erase(aCnpj, requested.payer!.taxId, fixtureNow))
    await untilBlocking(other.client, pool)
    await other.end()
    expect(await erasing).toBe(1)
    expect(await run(recurrences.find(aCnpj, requested.id))).toMatchObject({ _tag: "Ended", payerErasedAt: fixtureNow })
  })
})

/** One process's part in a charge's life: it pays, or it refunds once another process has paid. */
const playPart = async (store: Awaited<ReturnType<typeof openStore>>["store"], charge: PendingCharge, at: number) => {
  if (at < 3) {
    const payment = aPayment(charge)
    const next = aPaidCharge(charge, payment)
    const deliveries = [{ event: chargeEvent(next, "Padaria"), endpointId: "loja" }]
    return run(store.commit(aChange(charge, { next, payments: [payment], deliveries })))
  }
  for (;;) {
    const read = await run(store.find(charge.issuer, charge.id))
    if (read?._tag === "Paid") return refund(store, read)
    await waitMs(1)
  }
}

const refund = async (store: Awaited<ReturnType<typeof openStore>>["store"], paid: PaidCharge) => {
  const refunding = aRefundingCharge(paid)
  const twice = await Promise.all([
    run(store.commit(aChange(paid, { next: refunding }))),
    run(store.commit(aChange(paid, { next: refunding }))),
  ])
  expect(twice.filter(({ moved }) => moved)).toHaveLength(1)
  const next = aRefundedCharge(refunding)
  return run(store.commit(aChange(refunding, { next, returns: next.returns })))
}

interface Claimed extends DueDelivery {
  readonly lease: QueueLease
}

type Outbox = Awaited<ReturnType<typeof openStore>>["outbox"]

const claim = async (outbox: Outbox, request: Partial<Parameters<Outbox["claim"]>[0]> = {}) => {
  const { queues } = await run(
    outbox.claim({ now: Date.now(), limit: 100, deliveries: 100, leaseMs: 60_000, ...request }),
  )
  return queues.flatMap(({ lease, due }) => due.map((one): Claimed => ({ ...one, lease })))
}

const makeSettlement = ({ lease, event, attempt }: Claimed) => ({
  lease,
  eventId: event.id,
  number: attempt,
  fate: { _tag: "Delivered" } as const,
  attempt: { startedAt: Date.now(), latencyMs: 1, status: 200 },
})

const settleAndRelease = async (outbox: Outbox, settlements: ReadonlyArray<Settlement>): Promise<number> => {
  const counted = await run(outbox.settle(settlements, Date.now()))
  await run(outbox.release(settlements.map(({ lease }) => lease)))
  return counted.length
}

describe("several reconcilers together", () => {
  const day = 86_400_000
  const leaseMs = 60_000
  const issuers = Array.from({ length: 6 }, (_, index) => `3000000000000${index}` as Cnpj)

  it("give every waiting charge a later turn of its company, in any order of wakes and turns", async () => {
    const reconcilers = await processes(4)
    await pool.query(`${truncate}, pixcharge.reconciliations`)
    for (let round = 1; round <= 5 * rounds; round++) {
      const now = fixtureNow + round * 60_000
      const nextAt = now + (round % 2 === 0 ? 1 : day)
      const due = { createdAt: now, checkAt: now, lookUpAt: now + day, watchUntil: now + day }
      const charges = issuers.toReversed().map((issuer) => aPendingCharge({ issuer, ...due }))
      await run(Effect.forEach(charges, reconcilers[0]!.store.insert, { concurrency: 6 }))
      const known = new Map<Cnpj, number | undefined>()
      const sweep = async ({ reconciliations }: (typeof reconcilers)[number]) => {
        for (;;) {
          const claimed = await run(reconciliations.claim({ now, leaseMs }))
          if (claimed === undefined) return
          known.set(claimed.issuer, claimed.youngestAt)
          await run(reconciliations.save(claimed, { _tag: "Release", nextAt }))
        }
      }
      const check = ({ checks }: (typeof reconcilers)[number]) => run(checks.claimCharges({ now, limit: 10, leaseMs }))
      await Promise.all(reconcilers.map((one, index) => (index % 2 === 0 ? sweep(one) : check(one))))
      await sweep(reconcilers[0]!)
      expect([...known].toSorted()).toEqual(issuers.map((issuer) => [issuer, now]))
    }
  })
})

describe("several dispatchers together", () => {
  const queueEvents = async (outbox: Outbox, count: number) => {
    await pool.query(truncate)
    const events = Array.from({ length: count }, () => aTestEvent())
    await run(
      Effect.all(
        events.map((event, index) =>
          outbox.add({ event, endpointId: `loja ${index % 5}` }, Date.now() - 1_000 + index),
        ),
        { concurrency: 20 },
      ),
    )
    return events
  }

  it.each([[[]], [["loja 9"]]])(
    "share the waiting deliveries: each delivery goes to one dispatcher (excluded: %j)",
    async (excludedEndpoints) => {
      const dispatchers = await processes(4)
      const events = await queueEvents(dispatchers[0]!.outbox, 600)
      const sent: Array<string> = []
      await Promise.all(
        dispatchers.map(async ({ outbox }) => {
          for (let idle = 0; idle < 3;) {
            const claims = await claim(outbox, { limit: 2, deliveries: 17, excludedEndpoints })
            idle = claims.length === 0 ? idle + 1 : 0
            sent.push(...claims.map(({ event }) => event.id))
            expect(await settleAndRelease(outbox, claims.map(makeSettlement))).toBe(claims.length)
          }
        }),
      )
      expect(sent.toSorted()).toEqual(events.map(({ id }) => id).toSorted())
      expect((await run(dispatchers[0]!.outbox.depth)).waiting).toBe(0)
    },
    30_000,
  )

  it.each([[[]], [["loja 9"]]])(
    "don't take a delivery early after another dispatcher has postponed it (excluded: %j)",
    async (excludedEndpoints) => {
      const dispatchers = await processes(4)
      const events = await queueEvents(dispatchers[0]!.outbox, 600)
      const sent: Array<string> = []
      const at = Date.now() + 3_600_000
      await Promise.all(
        dispatchers.map(async ({ outbox }) => {
          for (let idle = 0; idle < 3;) {
            const claims = await claim(outbox, { limit: 2, deliveries: 13, excludedEndpoints })
            idle = claims.length === 0 ? idle + 1 : 0
            sent.push(...claims.map(({ event }) => event.id))
            const putOff = claims.map((one) => ({ ...makeSettlement(one), fate: { _tag: "Retry", at } as const }))
            expect(await settleAndRelease(outbox, putOff)).toBe(claims.length)
          }
        }),
      )
      expect(sent.toSorted()).toEqual(events.map(({ id }) => id).toSorted())
    },
    30_000,
  )

  it("skip the wait for the disk only in claims, not in the connection's next statement", async () => {
    const one = new pg.Pool({ ...pool.options, max: 1 })
    onTestFinished(() => one.end())
    const { outbox } = await openStore({ db: one })
    await queueEvents(outbox, 5)
    expect(await claim(outbox)).toHaveLength(5)
    expect((await one.query("SHOW synchronous_commit")).rows).toEqual([{ synchronous_commit: "on" }])
  })

  it("ignore a late settlement once another dispatcher has leased the queue", async () => {
    const [slow, quick] = await processes(2)
    await queueEvents(slow!.outbox, 20)
    const lost = await claim(slow!.outbox)
    await pool.query("UPDATE pixcharge.queue_leases SET lease_until = now() - interval '1 s'")
    const found = await claim(quick!.outbox)
    expect(found.map(({ event }) => event.id).toSorted()).toEqual(lost.map(({ event }) => event.id).toSorted())
    const [late, right] = await Promise.all([
      run(slow!.outbox.settle(lost.map(makeSettlement), Date.now())),
      run(quick!.outbox.settle(found.map(makeSettlement), Date.now())),
    ])
    expect([late.length, right.length]).toEqual([0, 20])
    const attempts = await Promise.all(
      lost.map(({ event, endpointId }) => run(quick!.outbox.attempts(event.issuer, event.id, endpointId))),
    )
    expect(attempts.map(({ length }) => length)).toEqual(lost.map(() => 1))
  })

  it("read no deliveries under a lease that another process has taken over", async () => {
    const [slow, quick] = await processes(2)
    await queueEvents(slow!.outbox, 1)
    const read = async (outbox: Outbox, [claimed]: ReadonlyArray<Claimed>) => {
      const requests = claimed === undefined ? [] : [{ lease: claimed.lease, limit: 1 }]
      return (await run(outbox.read(requests, Date.now()))).flatMap(({ due }) => due).length
    }
    const lost = await claim(slow!.outbox)
    await pool.query("UPDATE pixcharge.queue_leases SET lease_until = now() - interval '1 s'")
    const found = await claim(quick!.outbox)
    expect([await read(slow!.outbox, lost), await read(quick!.outbox, found)]).toEqual([0, 1])
  })

  it("supersede and settle in opposite orders without a deadlock", async () => {
    const [first, second] = await processes(2)
    await pool.query(truncate)
    for (let round = 0; round < rounds; round++) {
      const paid = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const charge = aPendingCharge()
          await run(first!.store.insert(charge))
          const next = aPaidCharge(charge)
          const deliveries = ["b", "a", "c"].map((endpointId) => ({ event: chargeEvent(next, "Padaria"), endpointId }))
          await run(first!.store.commit(aChange(charge, { next, payments: [next.payment], deliveries })))
          return next
        }),
      )
      const claims = await claim(second!.outbox, { now: Date.now() * 2 })
      expect(claims).toHaveLength(60)
      await Promise.all([
        settleAndRelease(second!.outbox, claims.map(makeSettlement)),
        ...paid.map((charge) =>
          run(first!.store.commit(aChange(charge, { next: aRefundingCharge(charge), unsent: "supersede" }))),
        ),
      ])
      expect((await run(first!.outbox.depth)).waiting).toBe(0)
    }
  })
})

describe("a replay and the refund of its charge", () => {
  const storeDeadLetter = async ({ store, outbox }: Awaited<ReturnType<typeof openStore>>) => {
    await pool.query(truncate)
    const charge = aPendingCharge()
    await run(store.insert(charge))
    const next = aPaidCharge(charge)
    const deliveries = [{ event: chargeEvent(next, "Padaria"), endpointId: "loja" }]
    await run(store.commit(aChange(charge, { next, payments: [next.payment], deliveries })))
    const [claimed] = await claim(outbox, { now: Date.now() * 2, limit: 1 })
    if (claimed === undefined) throw new Error("expected a waiting `paid`")
    await run(outbox.settle([{ ...makeSettlement(claimed), fate: { _tag: "Dead", reason: "gone" } }], Date.now()))
    return next
  }

  const refundChange = (paid: PaidCharge): Change =>
    aChange(paid, { next: aRefundingCharge(paid), unsent: "supersede" })

  const statuses = "SELECT count(*) FILTER (WHERE superseded_at IS NULL)::int AS waiting FROM pixcharge.deliveries"

  it("the refund waits for the replay, finds the charge changed, and withdraws `paid` on its retry", async () => {
    const [process] = await processes(1)
    const paid = await storeDeadLetter(process!)
    const other = await pool.connect()
    onTestFinished(() => other.release())
    await other.query("BEGIN")
    const { statement, values } = replayDeliveries(paid.issuer, { chargeId: paid.id }, { now: Date.now(), author: {} })
    expect((await other.query(statement(schemaName()).text, values)).rowCount).toBe(1)
    // Without a lock time-out, because a refund that timed out and ran again after the replay would find the charge unchanged and
    // withdraw `paid` at once.
    const { store } = await openStore({ db: withoutLockTimeout(pool) })
    const refunding = run(store.commit(refundChange(paid)))
    await untilBlocking(other, pool)
    await other.query("COMMIT")
    expect((await refunding).moved).toBe(false)
    expect(await counts(statuses)).toEqual({ waiting: 1 })
    expect((await run(process!.store.commit(refundChange(paid)))).moved).toBe(true)
    expect(await counts(statuses)).toEqual({ waiting: 0 })
  })

  it("the replay waits for the refund, and replays no delivery", async () => {
    const [process] = await processes(1)
    const paid = await storeDeadLetter(process!)
    const other = await pool.connect()
    onTestFinished(() => other.release())
    await other.query("BEGIN")
    await other.query("UPDATE pixcharge.charges SET state = 'refunding', version = version + 1")
    const replaying = run(process!.outbox.replay(paid.issuer, { chargeId: paid.id }, Date.now()))
    await untilBlocking(other, pool)
    await other.query("COMMIT")
    expect(await replaying).toBe(0)
    expect(await counts(statuses)).toEqual({ waiting: 0 })
  })

  it("after replays and a refund in any order, no `paid` waits once the refund is committed", async () => {
    const [first, second] = await processes(2)
    for (let round = 0; round < rounds * 3; round++) {
      const paid = await storeDeadLetter(first!)
      const refunded = async () => {
        while (!(await run(first!.store.commit(refundChange(paid)))).moved);
      }
      await Promise.all([
        refunded(),
        ...[first, second, second].map((one) =>
          run(one!.outbox.replay(paid.issuer, { period: { from: 0, until: Date.now() * 2 } }, Date.now())),
        ),
      ])
      expect(await counts(statuses)).toEqual({ waiting: 0 })
    }
  })
})
