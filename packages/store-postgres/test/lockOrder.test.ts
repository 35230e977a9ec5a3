import type { Change, DueDelivery, QueueLease, ReplaySelection } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { chargeEvent, type ChargeId, type PaidCharge, type PixEvent } from "@pixcharge/core/charges"
import {
  aChange,
  aChargeId,
  aCnpj,
  anEndToEndId,
  anotherCnpj,
  anUnmatchedPayment,
  aPaidCharge,
  aPayment,
  aPendingCharge,
  aRefundingCharge,
  aReturn,
  aTestEvent,
  cpf,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import pg from "pg"
import { afterAll, beforeEach, expect, it } from "vitest"
import { realPostgres, storeHooks, untilBlocking, withoutLockTimeout } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"
import { otherSession } from "./otherSession.ts"

const pool = await realPostgres()
const db = withoutLockTimeout(pool)

/** Settings for plans that read rows in the table's order. Then only the ORDER BY of a statement orders the rows. */
const settings = ["nestloop", "mergejoin", "indexscan", "indexonlyscan", "bitmapscan", "sort", "incremental_sort"]
const scanning = new pg.Pool({ ...pool.options, options: settings.map((name) => `-c enable_${name}=off`).join(" ") })
afterAll(() => scanning.end())

type Opened = Awaited<ReturnType<typeof openStore>>
type Key = Readonly<Record<string, string>>

beforeEach(async () => {
  await openStore({ db })
  await run(storeHooks(pool).reset ?? Effect.void)
})

const later = fixtureNow + 86_400_000
const leaseMs = 600_000
const payer = { name: "Ana", taxId: cpf("52998224725") }

const sortedPair = <A>(make: () => A): [A, A] => [make(), make()].toSorted() as [A, A]
const [firstCompany, secondCompany] = [aCnpj, anotherCnpj].toSorted() as [Cnpj, Cnpj]
const [low, high] = sortedPair(aChargeId)
const [lowPayment, highPayment] = sortedPair(anEndToEndId)
const [lowEvent, highEvent] = ["evt_1", "evt_2"] as const

const payCharge = async ({ store }: Opened, issuer: Cnpj, id: ChargeId, endToEndId = anEndToEndId()) => {
  const charge = aPendingCharge({ issuer, id, payer })
  await run(store.insert(charge))
  const next = aPaidCharge(charge, aPayment(charge, { endToEndId }))
  await run(store.commit(aChange(charge, { next, payments: [next.payment] })))
  return next
}

const payWithEvent = async (opened: Opened, issuer: Cnpj, id: ChargeId, event: string, endpoints = ["a"]) => {
  const charge = aPendingCharge({ issuer, id, payer })
  await run(opened.store.insert(charge))
  const next = aPaidCharge(charge)
  const deliveries = endpoints.map((endpointId) => delivery(next, event, endpointId))
  await run(opened.store.commit(aChange(charge, { next, payments: [next.payment], deliveries })))
  return next
}

const delivery = (charge: PaidCharge, id: string, endpointId: string) => ({
  event: { ...chargeEvent(charge, "Padaria"), id } as PixEvent,
  endpointId,
})

const payFurther = async ({ store }: Opened, charge: PaidCharge, endToEndId: string) => {
  const payment = aPayment(charge, { endToEndId })
  await run(store.commit(aChange(charge, { payments: [payment] })))
  return payment
}

const queueEvent = ({ outbox }: Opened, issuer: Cnpj, id: string, endpointId: string, at = fixtureNow) =>
  run(outbox.add({ event: aTestEvent({ issuer, id }), endpointId }, at))

interface Claimed extends DueDelivery {
  readonly lease: QueueLease
}

/** Claims all waiting deliveries, in the reverse order of their keys. */
const claimAll = async ({ outbox }: Opened): Promise<ReadonlyArray<Claimed>> => {
  const { queues } = await run(outbox.claim({ now: later, limit: 10, deliveries: 10, leaseMs }))
  const claims = queues.flatMap(({ lease, due }) => due.map((delivered) => ({ ...delivered, lease })))
  const makeKey = ({ lease, event }: Claimed) => `${lease.issuer} ${event.id} ${lease.endpointId}`
  return claims.toSorted((a, b) => (makeKey(a) < makeKey(b) ? 1 : -1))
}

const settle = ({ outbox }: Opened, claims: ReadonlyArray<Claimed>) =>
  run(
    outbox.settle(
      claims.map(({ lease, event, attempt }) => ({
        lease,
        eventId: event.id,
        number: attempt,
        fate: { _tag: "Delivered" },
        attempt: { startedAt: later, latencyMs: 1, status: 200 },
      })),
      later,
    ),
  )

const sendAll = async (opened: Opened) => {
  const claims = await claimAll(opened)
  await settle(opened, claims)
  await run(opened.outbox.release(claims.map(({ lease }) => lease)))
}

/**
 * Two rows that a statement locks or inserts. The statement gets them in reverse order, and must take the first row before the
 * second.
 */
interface Ordered {
  readonly table: string
  readonly first: Key
  readonly second: Key
  /** Stores the rows that the call needs; returns the call that takes both rows. */
  readonly store: (opened: Opened) => Promise<(opened: Opened) => Promise<unknown>>
  /** True if the statement inserts the rows. Until then, the table has only other rows. */
  readonly inserts?: boolean
}

const orderCharges = (first: readonly [Cnpj, ChargeId], second: readonly [Cnpj, ChargeId]) => ({
  table: "charges",
  first: { issuer: first[0], id: first[1] },
  second: { issuer: second[0], id: second[1] },
})

const orderCommits = (first: readonly [Cnpj, ChargeId], second: readonly [Cnpj, ChargeId]): Ordered => ({
  ...orderCharges(first, second),
  store: async (opened) => {
    const charges = [await payCharge(opened, ...second), await payCharge(opened, ...first)]
    return ({ store }) => Promise.all(charges.map((charge) => run(store.commit(aChange(charge)))))
  },
})

const orderSchedules = (first: readonly [Cnpj, ChargeId], second: readonly [Cnpj, ChargeId]): Ordered => ({
  ...orderCharges(first, second),
  store: async (opened) => {
    const charges = [await payCharge(opened, ...second), await payCharge(opened, ...first)]
    return ({ checks }) => Promise.all(charges.map((charge) => run(checks.scheduleCharge(charge, later))))
  },
})

const orderInserts = (first: readonly [Cnpj, ChargeId], second: readonly [Cnpj, ChargeId]): Ordered => ({
  ...orderCharges(first, second),
  inserts: true,
  store: async ({ store }) => {
    await run(store.insert(aPendingCharge()))
    return (opened) =>
      Promise.all([second, first].map(([issuer, id]) => run(opened.store.insert(aPendingCharge({ issuer, id })))))
  },
})

type PaymentKey = readonly [Cnpj, ChargeId, string]

const orderPayments = (first: PaymentKey, second: PaymentKey) => ({
  table: "payments",
  first: { issuer: first[0], end_to_end_id: first[2] },
  second: { issuer: second[0], end_to_end_id: second[2] },
})

const orderRecords = (
  first: PaymentKey,
  second: PaymentKey,
  given: ReadonlyArray<PaymentKey> = [second, first],
): Ordered => ({
  ...orderPayments(first, second),
  inserts: true,
  store: async (opened) => {
    await run(opened.store.recordUnmatched(anUnmatchedPayment()))
    const charges = new Map<string, PaidCharge>()
    for (const [issuer, id] of given) {
      if (!charges.has(issuer + id)) charges.set(issuer + id, await payCharge(opened, issuer, id))
    }
    return ({ store }) =>
      Promise.all(
        Array.from(charges, ([key, charge]) => {
          const ownKeys = given.filter(([issuer, id]) => issuer + id === key)
          const payments = ownKeys.map(([, , endToEndId]) => aPayment(charge, { endToEndId }))
          return run(store.commit(aChange(charge, { payments })))
        }),
      )
  },
})

const orderExceptions = (first: PaymentKey, second: PaymentKey): Ordered => ({
  ...orderPayments(first, second),
  store: async (opened) => {
    const changes: Array<Change> = []
    for (const [issuer, id, endToEndId] of [second, first]) {
      const charge = await payCharge(opened, issuer, id)
      changes.push(aChange(charge, { returns: [aReturn(await payFurther(opened, charge, endToEndId))] }))
    }
    return ({ store }) => Promise.all(changes.map((change) => run(store.commit(change))))
  },
})

type ReturnKey = readonly [...PaymentKey, string]

const orderReturns = (first: ReturnKey, second: ReturnKey): Ordered => ({
  table: "returns",
  first: { issuer: first[0], end_to_end_id: first[2], id: first[3] },
  second: { issuer: second[0], end_to_end_id: second[2], id: second[3] },
  inserts: true,
  store: async (opened) => {
    const other = await payCharge(opened, aCnpj, aChargeId())
    await run(opened.store.commit(aChange(other, { returns: [aReturn(other.payment)] })))
    const charges = new Map<string, PaidCharge>()
    for (const [issuer, id, endToEndId] of [second, first]) {
      if (!charges.has(issuer + id)) charges.set(issuer + id, await payCharge(opened, issuer, id, endToEndId))
    }
    return ({ store }) =>
      Promise.all(
        Array.from(charges, ([key, charge]) => {
          const ownKeys = [second, first].filter(([issuer, id]) => issuer + id === key)
          return run(
            store.commit(aChange(charge, { returns: ownKeys.map(([, , , id]) => aReturn(charge.payment, { id })) })),
          )
        }),
      )
  },
})

type DeliveryKey = readonly [Cnpj, string, string]

const orderDeliveries = (first: DeliveryKey, second: DeliveryKey) => ({
  table: "deliveries",
  first: { issuer: first[0], event_id: first[1], endpoint_id: first[2] },
  second: { issuer: second[0], event_id: second[1], endpoint_id: second[2] },
})

const orderQueueing = (first: DeliveryKey, second: DeliveryKey): Ordered => ({
  ...orderDeliveries(first, second),
  inserts: true,
  store: async (opened) => {
    await queueEvent(opened, aCnpj, "evt_0", "z")
    const charges = await Promise.all(
      [...new Set([second[0], first[0]])].map(async (issuer) => {
        const charge = aPendingCharge({ issuer })
        await run(opened.store.insert(charge))
        return charge
      }),
    )
    return ({ store }) =>
      Promise.all(
        charges.map((charge) => {
          const next = aPaidCharge(charge)
          const ownKeys = [second, first].filter(([issuer]) => issuer === charge.issuer)
          const deliveries = ownKeys.map(([, event, endpointId]) => delivery(next, event, endpointId))
          return run(store.commit(aChange(charge, { next, payments: [next.payment], deliveries })))
        }),
      )
  },
})

/** Stores charges with waiting events: one charge for each key, or a single charge if both keys have the same event. */
const storeWaiting = async (opened: Opened, first: DeliveryKey, second: DeliveryKey) => {
  if (first[1] === second[1] && first[0] === second[0])
    return [await payWithEvent(opened, first[0], low, first[1], [first[2], second[2]])]
  return [
    await payWithEvent(opened, second[0], high, second[1], [second[2]]),
    await payWithEvent(opened, first[0], low, first[1], [first[2]]),
  ]
}

const orderWithdrawals = (first: DeliveryKey, second: DeliveryKey): Ordered => ({
  ...orderDeliveries(first, second),
  store: async (opened) => {
    const charges = await storeWaiting(opened, first, second)
    return ({ store }) =>
      Promise.all(
        charges.map((charge) =>
          run(store.commit(aChange(charge, { next: aRefundingCharge(charge), unsent: "supersede" }))),
        ),
      )
  },
})

const orderSettlements = (first: DeliveryKey, second: DeliveryKey): Ordered => ({
  ...orderDeliveries(first, second),
  store: async (opened) => {
    for (const key of [second, first]) await queueEvent(opened, ...key)
    const claims = await claimAll(opened)
    return (acting) => settle(acting, claims)
  },
})

type QueueKey = readonly [Cnpj, string]

const orderQueues = (first: QueueKey, second: QueueKey) => ({
  table: "queue_leases",
  first: { issuer: first[0], endpoint_id: first[1] },
  second: { issuer: second[0], endpoint_id: second[1] },
})

const orderLeases = (
  first: QueueKey,
  second: QueueKey,
  use: (opened: Opened, claims: ReadonlyArray<Claimed>) => Promise<unknown>,
): Ordered => ({
  ...orderQueues(first, second),
  store: async (opened) => {
    await queueEvent(opened, second[0], highEvent, second[1])
    await queueEvent(opened, first[0], lowEvent, first[1])
    const claims = await claimAll(opened)
    return (acting) => use(acting, claims)
  },
})

const renew = ({ outbox }: Opened, claims: ReadonlyArray<Claimed>) =>
  run(
    outbox.renew(
      claims.map(({ lease }) => lease),
      leaseMs,
    ),
  )

const orderClaims = (first: QueueKey, second: QueueKey): Ordered => ({
  ...orderQueues(first, second),
  inserts: true,
  store: async (opened) => {
    await queueEvent(opened, aCnpj, "evt_0", "z")
    await claimAll(opened)
    await queueEvent(opened, second[0], highEvent, second[1])
    await queueEvent(opened, first[0], lowEvent, first[1], fixtureNow + 1_000)
    return claimAll
  },
})

/** The rows of two companies, which are woken when their charges are due for the first time. */
const orderWakes = (inserts: boolean): Ordered => ({
  table: "reconciliations",
  first: { issuer: firstCompany },
  second: { issuer: secondCompany },
  inserts,
  store: async ({ store, reconciliations }) => {
    const due = { checkAt: fixtureNow, lookUpAt: later }
    const charges = [secondCompany, firstCompany].map((issuer) => aPendingCharge({ issuer, ...due }))
    if (inserts) await run(store.insert(aPendingCharge({ issuer: "00000000000191" as Cnpj })))
    else await run(Effect.forEach(charges, store.insert))
    await run(reconciliations.enter(later))
    if (inserts) await run(Effect.forEach(charges, store.insert))
    return ({ checks }) => run(checks.claimCharges({ now: fixtureNow, limit: 10, leaseMs }))
  },
})

const orderReplays = (
  table: "charges" | "settled_deliveries",
  first: Key,
  second: Key,
  keys: readonly [DeliveryKey, DeliveryKey],
): Ordered => ({
  table,
  first,
  second,
  store: async (opened) => {
    await storeWaiting(opened, ...keys)
    await sendAll(opened)
    const selection: ReplaySelection = { period: { from: 0, until: later } }
    return ({ outbox }) => run(outbox.replay(firstCompany, selection, later))
  },
})

const twoPayments = [
  [firstCompany, low, lowPayment],
  [firstCompany, low, highPayment],
] as const
const sameEvent = [
  [firstCompany, lowEvent, "a"],
  [firstCompany, lowEvent, "b"],
] as const
const sameIssuer = [
  [firstCompany, lowEvent, "b"],
  [firstCompany, highEvent, "a"],
] as const
const otherIssuer = [
  [firstCompany, highEvent, "b"],
  [secondCompany, lowEvent, "a"],
] as const

const ordered: Readonly<Record<string, Ordered>> = {
  "charges that are moved, by company": orderCommits([firstCompany, high], [secondCompany, low]),
  "charges that are moved, by id": orderCommits([firstCompany, low], [firstCompany, high]),
  "charges whose checks are scheduled, by company": orderSchedules([firstCompany, high], [secondCompany, low]),
  "charges whose checks are scheduled, by id": orderSchedules([firstCompany, low], [firstCompany, high]),
  "new charges, by company": orderInserts([firstCompany, high], [secondCompany, low]),
  "new charges, by id": orderInserts([firstCompany, low], [firstCompany, high]),
  "new payments, by company": orderRecords([firstCompany, high, highPayment], [secondCompany, low, lowPayment]),
  "new payments, by endToEndId": orderRecords(...twoPayments),
  // A hash join returns rows in reverse order.
  "new payments, by endToEndId, given in this order": orderRecords(...twoPayments, twoPayments),
  "payments that are returned, by company": orderExceptions(
    [firstCompany, high, highPayment],
    [secondCompany, low, lowPayment],
  ),
  "payments that are returned, by endToEndId": orderExceptions(
    [firstCompany, high, lowPayment],
    [firstCompany, low, highPayment],
  ),
  "new returns, by company": orderReturns(
    [firstCompany, high, highPayment, "D2"],
    [secondCompany, low, lowPayment, "D1"],
  ),
  "new returns, by endToEndId": orderReturns(
    [firstCompany, high, lowPayment, "D2"],
    [firstCompany, low, highPayment, "D1"],
  ),
  "new returns, by id": orderReturns([firstCompany, low, lowPayment, "D1"], [firstCompany, low, lowPayment, "D2"]),
  "new returns of an exception, by id": {
    table: "returns",
    first: { issuer: firstCompany, end_to_end_id: lowPayment, id: "D1" },
    second: { issuer: firstCompany, end_to_end_id: lowPayment, id: "D2" },
    inserts: true,
    store: async (opened) => {
      const other = await payCharge(opened, aCnpj, aChargeId())
      await run(opened.store.commit(aChange(other, { returns: [aReturn(other.payment)] })))
      const payment = anUnmatchedPayment({ issuer: firstCompany, endToEndId: lowPayment })
      await run(opened.store.recordUnmatched(payment))
      const returns = ["D2", "D1"].map((id) => aReturn(payment, { id }))
      return ({ exceptions }) =>
        run(
          exceptions.commit({
            issuer: firstCompany,
            endToEndId: lowPayment,
            expectedVersion: 0,
            movedAt: fixtureNow,
            next: { _tag: "Open" },
            returns,
          }),
        )
    },
  },
  "new events, by company": orderQueueing(...otherIssuer),
  "new events, by id": orderQueueing(...sameIssuer),
  "new events, by endpoint": orderQueueing(...sameEvent),
  "events that a move withdraws, by company": orderWithdrawals(...otherIssuer),
  "events that a move withdraws, by id": orderWithdrawals(...sameIssuer),
  "events that a move withdraws, by endpoint": orderWithdrawals(...sameEvent),
  "events that are settled, by company": orderSettlements(...otherIssuer),
  "events that are settled, by id": orderSettlements(...sameIssuer),
  "events that are settled, by endpoint": orderSettlements(...sameEvent),
  "queues whose events are settled, by company": orderLeases([firstCompany, "b"], [secondCompany, "a"], settle),
  "queues whose events are settled, by endpoint": orderLeases([firstCompany, "a"], [firstCompany, "b"], settle),
  "leases that are renewed, by company": orderLeases([firstCompany, "b"], [secondCompany, "a"], renew),
  "leases that are renewed, by endpoint": orderLeases([firstCompany, "a"], [firstCompany, "b"], renew),
  "new leases, by company": orderClaims([firstCompany, "b"], [secondCompany, "a"]),
  "new leases, by endpoint": orderClaims([firstCompany, "a"], [firstCompany, "b"]),
  "companies that charges wake, by company": orderWakes(false),
  "new companies that charges wake, by company": orderWakes(true),
  "charges of a payer who is erased, by id": {
    ...orderCharges([firstCompany, low], [firstCompany, high]),
    store: async (opened) => {
      for (const id of [high, low]) await payCharge(opened, firstCompany, id)
      return ({ payers }) => run(payers.erase(firstCompany, payer.taxId, later))
    },
  },
  "events that are withdrawn without a move, by id": {
    ...orderDeliveries([firstCompany, lowEvent, "b"], [firstCompany, highEvent, "a"]),
    store: async (opened) => {
      const charge = await payCharge(opened, firstCompany, low)
      for (const [event, endpoint] of [
        [highEvent, "a"],
        [lowEvent, "b"],
      ] as const)
        await run(opened.outbox.add(delivery(charge, event, endpoint), fixtureNow))
      return ({ outbox }) => run(outbox.supersede(firstCompany, low, later))
    },
  },
  "events that are withdrawn without a move, by endpoint": {
    ...orderDeliveries(...sameEvent),
    store: async (opened) => {
      await storeWaiting(opened, ...sameEvent)
      return ({ outbox }) => run(outbox.supersede(firstCompany, low, later))
    },
  },
  "charges whose events are replayed, by id": orderReplays(
    "charges",
    { issuer: firstCompany, id: low },
    { issuer: firstCompany, id: high },
    sameIssuer,
  ),
  "events that are replayed, by id": orderReplays(
    "settled_deliveries",
    orderDeliveries(...sameIssuer).first,
    orderDeliveries(...sameIssuer).second,
    sameIssuer,
  ),
  "events that are replayed, by endpoint": orderReplays(
    "settled_deliveries",
    orderDeliveries(...sameEvent).first,
    orderDeliveries(...sameEvent).second,
    sameEvent,
  ),
}

const keyCondition = (key: Key): string =>
  Object.entries(key)
    .map(([column, value]) => `${column} = '${value}'`)
    .join(" AND ")

const take = async ({ table, inserts = false }: Ordered, key: Key): Promise<string> => {
  if (!inserts) return `SELECT 1 FROM pixcharge.${table} WHERE ${keyCondition(key)} FOR UPDATE`
  const { rows } = await pool.query(
    `SELECT string_agg(column_name, ', ') AS columns FROM information_schema.columns
     WHERE table_schema = 'pixcharge' AND table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  )
  const [{ columns }] = rows
  return `INSERT INTO pixcharge.${table} (${columns}) SELECT ${columns} FROM (
    SELECT copy.* FROM pixcharge.${table} t
    CROSS JOIN LATERAL json_populate_record(t, '${JSON.stringify(key)}') copy LIMIT 1
  ) copied`
}

it.each(Object.entries(ordered))("a statement locks rows in key order, with any plan: %s", async (_, rows) => {
  const act = await rows.store(await openStore({ db }))
  // Rewrites the first row: it then comes after the second row in the table.
  const [column = ""] = Object.keys(rows.first)
  await pool.query(`UPDATE pixcharge.${rows.table} SET ${column} = ${column} WHERE ${keyCondition(rows.first)}`)
  const opened = await openStore({ db: withoutLockTimeout(scanning) })
  const other = await otherSession(pool, async (client) => client.query(await take(rows, rows.first)))
  const acting = act(opened)
  await untilBlocking(other.client, pool)
  const third = await pool.connect()
  await third.query("BEGIN; SET LOCAL lock_timeout = '100ms'")
  const taken = await third.query(await take(rows, rows.second)).then(
    ({ rowCount }) => rowCount,
    (error: unknown) => error,
  )
  await third.query("ROLLBACK")
  third.release()
  await other.end()
  await acting
  expect(taken).toBe(1)
})
