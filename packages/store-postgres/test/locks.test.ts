import type { DeliveryFate, DueDelivery, QueueLease } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { chargeEvent, type ChargeId, type PaidCharge, type Payment } from "@pixcharge/core/charges"
import {
  aChange,
  aChargeId,
  aCnpj,
  anotherCnpj,
  anUnmatchedPayment,
  aPaidCharge,
  aPayment,
  aPendingCharge,
  aRefundedCharge,
  aRefundingCharge,
  aReturn,
  aTestEvent,
  cpf,
  fixtureNow,
  anEndToEndId,
} from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import pg from "pg"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { realPostgres, storeHooks, untilBlocking, withoutLockTimeout } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"
import { otherSession } from "./otherSession.ts"

const pool = await realPostgres()
const db = withoutLockTimeout(pool)

type Opened = Awaited<ReturnType<typeof openStore>>

const day = 86_400_000
const now = fixtureNow + day
const later = now + 10_000
const leaseMs = 600_000

beforeEach(async () => {
  await openStore({ db })
  await run(storeHooks(pool).reset ?? Effect.void)
})

const makeTwo = <A>(make: (at: number) => Promise<A>): Promise<[A, A]> => Promise.all([make(0), make(1)])

const insertCharge = async ({ store }: Opened, overrides: Parameters<typeof aPendingCharge>[0] = {}) => {
  const charge = aPendingCharge(overrides)
  await run(store.insert(charge))
  return charge
}

const payCharge = async (opened: Opened, overrides: Parameters<typeof aPendingCharge>[0] = {}) => {
  const charge = await insertCharge(opened, overrides)
  const next = aPaidCharge(charge)
  const deliveries = ["a", "b"].map((endpointId) => ({ event: chargeEvent(next, "Padaria"), endpointId }))
  await run(opened.store.commit(aChange(charge, { next, payments: [next.payment], deliveries })))
  return next
}

const refundCharge = async (opened: Opened) => {
  const charge = await payCharge(opened)
  const refunding = aRefundingCharge(charge)
  await run(opened.store.commit(aChange(charge, { next: refunding, unsent: "supersede" })))
  const next = aRefundedCharge(refunding)
  await run(opened.store.commit(aChange(refunding, { next, returns: next.returns })))
}

const requestExceptionRefund = async ({ store, exceptions }: Opened, checkAt: number) => {
  const payment = anUnmatchedPayment()
  await run(store.recordUnmatched(payment))
  const next = { _tag: "Refunding", refund: { id: "R1", attempt: 1, requestedAt: fixtureNow }, checkAt } as const
  await run(exceptions.commit({ ...pickKey(payment), expectedVersion: 0, movedAt: fixtureNow, next, returns: [] }))
}

const pickKey = ({ issuer, endToEndId }: Payment) => ({ issuer, endToEndId })

const queueEvent = async ({ outbox }: Opened, endpointId: string) => {
  const event = aTestEvent()
  await run(outbox.add({ event, endpointId }, fixtureNow))
  return event
}

interface Claimed extends DueDelivery {
  readonly lease: QueueLease
}

const claim = async ({ outbox }: Opened): Promise<ReadonlyArray<Claimed>> => {
  const { queues } = await run(outbox.claim({ now: later, limit: 10, deliveries: 10, leaseMs }))
  return queues.flatMap(({ lease, due }) => due.map((one) => ({ ...one, lease })))
}

const settle = ({ outbox }: Opened, claims: ReadonlyArray<Claimed>, fate: DeliveryFate) =>
  run(
    outbox.settle(
      claims.map(({ lease, event, attempt }) => ({
        lease,
        eventId: event.id,
        number: attempt,
        fate,
        attempt: { startedAt: later, latencyMs: 1, status: 200 },
      })),
      later,
    ),
  )

const releaseAll = ({ outbox }: Opened, claims: ReadonlyArray<Claimed>) =>
  run(outbox.release(claims.map(({ lease }) => lease)))

const sendEvent = async (opened: Opened, endpointId: string) => {
  const event = await queueEvent(opened, endpointId)
  const claims = await claim(opened)
  await settle(opened, claims, { _tag: "Delivered" })
  await releaseAll(opened, claims)
  return event
}

/** Stores two rows of a table. `take` takes rows for one process, and returns their number. */
interface Taking {
  readonly table: string
  readonly store: (opened: Opened) => Promise<unknown>
  readonly take: (opened: Opened) => Promise<number>
}

const takeCharges = ({ checks }: Opened, at = now) =>
  run(checks.claimCharges({ now: at, limit: 10, leaseMs })).then(({ length }) => length)
const takeExceptions = ({ checks }: Opened) =>
  run(checks.claimExceptions({ now, limit: 10, leaseMs })).then(({ length }) => length)
const countToLookUp = async (): Promise<number> =>
  (await pool.query("SELECT 1 FROM pixcharge.charges WHERE look_up_at IS NOT NULL")).rows.length
const enterCompanies = async (opened: Opened) => {
  await makeTwo((at) => insertCharge(opened, { issuer: at === 0 ? aCnpj : anotherCnpj }))
  await run(opened.reconciliations.enter(now))
}
const takeCompany = ({ reconciliations }: Opened) => run(reconciliations.claim({ now, leaseMs }))
const takeCompanies = async (opened: Opened) =>
  [await takeCompany(opened), await takeCompany(opened)].filter((one) => one !== undefined).length
const purge = ({ outbox }: Opened) => run(outbox.purge(later + 1))

const listOldTokens = async ({ tokens }: Opened) => (await run(tokens.list(0))).filter((id) => id.startsWith("old"))
const forget = async (opened: Opened) => {
  const before = await listOldTokens(opened)
  await run(opened.tokens.revoke({ id: "new", until: later + day, now: later }))
  return before.length - (await listOldTokens(opened)).length
}

const takings: Readonly<Record<string, Taking>> = {
  "charges with a due check": {
    table: "charges",
    store: (opened) => makeTwo(() => insertCharge(opened, { checkAt: now })),
    take: takeCharges,
  },
  "charges whose checks a fast clock ended": {
    table: "charges",
    store: (opened) =>
      makeTwo(async () =>
        run(opened.checks.scheduleCharge(await insertCharge(opened), undefined, { endedAt: now + day })),
      ),
    take: takeCharges,
  },
  "charges whose check a fast clock set": {
    table: "charges",
    store: (opened) => makeTwo(() => insertCharge(opened, { checkAt: now + 40 * day })),
    take: takeCharges,
  },
  "exceptions with a due check": {
    table: "payments",
    store: (opened) => makeTwo(() => requestExceptionRefund(opened, now)),
    take: takeExceptions,
  },
  "exceptions whose check a fast clock set": {
    table: "payments",
    store: (opened) => makeTwo(() => requestExceptionRefund(opened, now + 40 * day)),
    take: takeExceptions,
  },
  "unpaid charges that are due for the first time": {
    table: "charges",
    store: (opened) => makeTwo(() => insertCharge(opened, { checkAt: now, lookUpAt: later })),
    take: async (opened) => {
      const before = await countToLookUp()
      await takeCharges(opened)
      return before - (await countToLookUp())
    },
  },
  "companies with a due reconciliation": { table: "reconciliations", store: enterCompanies, take: takeCompanies },
  "companies whose turn a fast clock set": {
    table: "reconciliations",
    store: async (opened) => {
      await enterCompanies(opened)
      await pool.query("UPDATE pixcharge.reconciliations SET next_at = now() + interval '1 year'")
    },
    take: takeCompanies,
  },
  "companies that a fast clock reconciled": {
    table: "reconciliations",
    store: async (opened) => {
      await enterCompanies(opened)
      await pool.query(`
        UPDATE pixcharge.reconciliations SET next_at = next_at + interval '1 hour', reconciled_until = now() + interval '1 year'`)
    },
    take: takeCompanies,
  },
  "queues with an expired lease": {
    table: "queue_leases",
    store: async (opened) => {
      await makeTwo((at) => queueEvent(opened, `e${at}`))
      await releaseAll(opened, await claim(opened))
    },
    take: (opened) => claim(opened).then(({ length }) => length),
  },
  "delivered events to purge": {
    table: "settled_deliveries",
    store: async (opened) => {
      await sendEvent(opened, "a")
      await sendEvent(opened, "b")
    },
    take: purge,
  },
  "superseded events to purge": { table: "deliveries", store: refundCharge, take: purge },
  "revoked tokens to delete": {
    table: "revoked_tokens",
    store: ({ tokens }) => makeTwo((at) => run(tokens.revoke({ id: `old ${at}`, until: later, now }))),
    take: forget,
  },
}

describe("a row for one process", () => {
  it.each(Object.entries(takings))("%s: a row that another session has locked is skipped", async (_, taking) => {
    const opened = await openStore({ db })
    await taking.store(opened)
    const other = await otherSession(pool, (client) =>
      client.query(`SELECT 1 FROM pixcharge.${taking.table} LIMIT 1 FOR UPDATE`),
    )
    expect(await taking.take(opened)).toBe(1)
    await other.end()
    expect(await taking.take(opened)).toBe(1)
    expect(await taking.take(opened)).toBe(0)
  })
})

/** A decision that waits while another session changes the row, and then decides on the changed row. */
interface Deciding<A> {
  readonly store: (opened: Opened) => Promise<A>
  readonly change: string
  readonly decide: (opened: Opened, stored: A) => Promise<unknown>
  readonly decided: unknown
  readonly rows: string
  readonly stored: ReadonlyArray<unknown>
}

const deciding = <A>(one: Deciding<A>): Deciding<unknown> => one as Deciding<unknown>

const queueStates = `
  SELECT CASE WHEN superseded_at IS NULL THEN 'waiting' ELSE 'superseded' END AS status FROM pixcharge.deliveries
  UNION ALL SELECT status FROM pixcharge.settled_deliveries`
const takeOverLease =
  "UPDATE pixcharge.queue_leases SET token = gen_random_uuid(), lease_until = now() + interval '1 hour'"

const claimDelivery = async (opened: Opened) => {
  await queueEvent(opened, "loja")
  return claim(opened)
}

const isWoken = "SELECT wake_at IS NOT NULL AS is_woken FROM pixcharge.reconciliations"
const savedMeanwhile = "UPDATE pixcharge.reconciliations SET next_at = next_at + interval '1 hour'"
const claimedMeanwhile = "UPDATE pixcharge.reconciliations SET lease_token = gen_random_uuid()"
const wakeCompany = ({ reconciliations }: Opened) => run(reconciliations.wake(aCnpj, now))

/** A company is woken even if its turn has come, because that turn can end without the charge. */
const wakeDuring = (change: string, wake: (opened: Opened) => Promise<unknown>) =>
  deciding({
    store: async (opened) => {
      await insertCharge(opened, { checkAt: now, lookUpAt: later })
      await run(opened.reconciliations.enter(now))
    },
    change,
    decide: (opened) => wake(opened).then(() => "woken"),
    decided: "woken",
    rows: isWoken,
    stored: [{ is_woken: true }],
  })

const decisions: Readonly<Record<string, Deciding<unknown>>> = {
  "a move of a charge that another session moves": deciding({
    store: insertCharge,
    change: "UPDATE pixcharge.charges SET version = version + 1",
    decide: ({ store }, charge) => {
      const next = aPaidCharge(charge)
      return run(store.commit(aChange(charge, { next, payments: [next.payment] }))).then(({ moved }) => moved)
    },
    decided: false,
    rows: "SELECT state, settles FROM pixcharge.charges JOIN pixcharge.payments USING (issuer)",
    stored: [{ state: "pending", settles: false }],
  }),
  "a check of a charge that another session moves": deciding({
    store: insertCharge,
    change: "UPDATE pixcharge.charges SET version = version + 1",
    decide: ({ checks }, charge) => run(checks.scheduleCharge(charge, later)),
    decided: undefined,
    rows: "SELECT check_at FROM pixcharge.charges",
    stored: [{ check_at: null }],
  }),
  "a wake of a company whose turn is saved": wakeDuring(savedMeanwhile, wakeCompany),
  "a wake of a company whose turn is claimed": wakeDuring(claimedMeanwhile, wakeCompany),
  "a first check of a charge whose company is saved": wakeDuring(savedMeanwhile, takeCharges),
  "a first check of a charge whose company is claimed": wakeDuring(claimedMeanwhile, takeCharges),
  "a save of a company that another session wakes": deciding({
    store: async (opened) => {
      await insertCharge(opened)
      await run(opened.reconciliations.enter(now))
      return takeCompany(opened)
    },
    change: `UPDATE pixcharge.reconciliations SET wake_at = now()`,
    decide: ({ reconciliations }, claimed) =>
      run(reconciliations.save(claimed!, { _tag: "Release", nextAt: now + day })),
    decided: true,
    rows: isWoken,
    stored: [{ is_woken: true }],
  }),
  "a move of an exception that another session moves": deciding({
    store: async ({ store }) => {
      const payment = anUnmatchedPayment()
      await run(store.recordUnmatched(payment))
      return payment
    },
    change: "UPDATE pixcharge.payments SET exception_version = exception_version + 1",
    decide: ({ exceptions }, payment) => {
      const next = { _tag: "Resolved", note: "fica", resolvedAt: now } as const
      return run(exceptions.commit({ ...pickKey(payment), expectedVersion: 0, movedAt: fixtureNow, next, returns: [] }))
    },
    decided: false,
    rows: "SELECT exception_state FROM pixcharge.payments",
    stored: [{ exception_state: "open" }],
  }),
  "a settlement under a lease that another process takes": deciding({
    store: claimDelivery,
    change: takeOverLease,
    decide: (opened, claims) => settle(opened, claims, { _tag: "Delivered" }),
    decided: [],
    rows: queueStates,
    stored: [{ status: "waiting" }],
  }),
  "a settlement of a superseded delivery": deciding({
    store: claimDelivery,
    change: "UPDATE pixcharge.deliveries SET superseded_at = now()",
    decide: (opened, claims) => settle(opened, claims, { _tag: "Dead", reason: "gone" }).then(({ length }) => length),
    decided: 1,
    rows: queueStates,
    stored: [{ status: "superseded" }],
  }),
  "a renewal of a lease that another process takes": deciding({
    store: claimDelivery,
    change: takeOverLease,
    decide: ({ outbox }, claims) =>
      run(
        outbox.renew(
          claims.map(({ lease }) => lease),
          1,
        ),
      ),
    decided: [],
    rows: "SELECT lease_until > now() AS held FROM pixcharge.queue_leases",
    stored: [{ held: true }],
  }),
  "a replay of a purged delivery": deciding({
    store: (opened) => sendEvent(opened, "loja"),
    change: "DELETE FROM pixcharge.settled_deliveries",
    decide: ({ outbox }, event) => run(outbox.replay(event.issuer, { eventId: event.id }, later)),
    decided: 0,
    rows: queueStates,
    stored: [],
  }),
  "a withdrawal of a withdrawn delivery": deciding({
    store: payCharge,
    change: "UPDATE pixcharge.deliveries SET superseded_at = '2026-06-03'",
    decide: ({ outbox }, { issuer, id }) => run(outbox.supersede(issuer, id, later)),
    decided: 0,
    rows: "SELECT DISTINCT superseded_at = '2026-06-03' AS first FROM pixcharge.deliveries",
    stored: [{ first: true }],
  }),
}

const poolWith = (settings: Readonly<Record<string, string>>): pg.Pool => {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const poolWithOptions = new pg.Pool({ ...pool.options, options: options.join(" ") })
  onTestFinished(() => poolWithOptions.end())
  return poolWithOptions
}

describe("a row that another session is changing", () => {
  it.each(Object.entries(decisions))("%s waits, and decides on the changed row", async (_, decision) => {
    const opened = await openStore({ db })
    const stored = await decision.store(opened)
    const other = await otherSession(pool, (client) => client.query(decision.change))
    const answer = decision.decide(opened, stored)
    await untilBlocking(other.client, pool)
    await other.end()
    expect(await answer).toEqual(decision.decided)
    expect((await pool.query(decision.rows)).rows).toEqual(decision.stored)
  })
})

describe("an expired queue that another process leases after the claim has read it", () => {
  it.each([
    ["leased and released", "token = gen_random_uuid()"],
    ["renewed", "lease_until = now() + interval '1 hour'"],
  ])("a claim skips the queue: %s", async (_, assignment) => {
    const opened = await openStore({ db })
    await queueEvent(opened, "loja")
    await releaseAll(opened, await claim(opened))
    // This clock function makes the claim wait after it has read the lease and before it locks the lease.
    await pool.query(`
      CREATE SCHEMA IF NOT EXISTS trap;
      CREATE OR REPLACE FUNCTION trap.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(1);
        RETURN pg_catalog.clock_timestamp();
      END $$`)
    const slow = await openStore({ db: poolWith({ search_path: "trap,pg_catalog" }) })
    const other = await otherSession(pool, (client) => client.query("SELECT pg_advisory_xact_lock(1)"))
    const claiming = claim(slow)
    await untilBlocking(other.client, pool)
    await pool.query(`UPDATE pixcharge.queue_leases SET ${assignment}`)
    await other.end()
    expect(await claiming).toEqual([])
  })
})

it("a claim of a company sees each charge that began to wait before the claim was made", async () => {
  const opened = await openStore({ db })
  await insertCharge(opened, { checkAt: now, lookUpAt: later })
  await run(opened.reconciliations.enter(now))
  // The claim waits after it has its snapshot and before it locks a row.
  await pool.query(`
    CREATE SCHEMA IF NOT EXISTS trap;
    CREATE OR REPLACE FUNCTION trap.to_timestamp(float8) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(1);
      RETURN pg_catalog.to_timestamp($1);
    END $$`)
  const slow = await openStore({ db: poolWith({ search_path: "trap,pg_catalog" }) })
  const other = await otherSession(pool, (client) => client.query("SELECT pg_advisory_xact_lock(1)"))
  const claiming = takeCompany(slow)
  await untilBlocking(other.client, pool)
  await takeCharges(opened)
  await other.end()
  expect(await claiming).toMatchObject({ youngestAt: fixtureNow })
})

it("a claim skips a company while a check of its charge commits", async () => {
  const opened = await openStore({ db })
  await insertCharge(opened, { checkAt: now, lookUpAt: later })
  await run(opened.reconciliations.enter(now))
  const other = await otherSession(pool, async (client) => takeCharges(await openStore({ db: client })))
  expect(await takeCompany(opened)).toBeUndefined()
  await other.end()
  expect(await takeCompany(opened)).toMatchObject({ youngestAt: fixtureNow })
})

describe("the order of locks in one statement", () => {
  it("puts a payment before its returns, both in a commit and in a move of its exception", async () => {
    const opened = await openStore({ db })
    const charge = await payCharge(opened)
    const further = aPayment(charge)
    await run(opened.store.commit(aChange(charge, { payments: [further] })))
    const { issuer, endToEndId, id } = aReturn(further)
    const other = await otherSession(pool, async (client) => {
      // A deadlock would end this session's statement, not the store's.
      await client.query("SET LOCAL deadlock_timeout = '1ms'")
      await client.query("SELECT 1 FROM pixcharge.payments WHERE end_to_end_id = $1 FOR UPDATE", [endToEndId])
    })
    const committing = run(opened.store.commit(aChange(charge, { returns: [aReturn(further, { id })] })))
    await untilBlocking(other.client, pool)
    await other.client.query(
      `INSERT INTO pixcharge.returns (issuer, end_to_end_id, id, kind, amount_cents, returned_at)
      VALUES ($1, $2, $3, 'outside', 1, now())`,
      [issuer, endToEndId, id],
    )
    await other.end()
    expect((await committing).moved).toBe(false)
  })

  /** Rows whose order in the table is the reverse of the order of their keys. */
  interface Ordered {
    readonly store: (opened: Opened) => Promise<PaidCharge>
    readonly first: string
    readonly second: string
    readonly act: (opened: Opened, charge: PaidCharge) => Promise<unknown>
  }

  const payer = { name: "Ana", taxId: cpf("52998224725") }
  const ids = [aChargeId(), aChargeId()].toSorted() as [ChargeId, ChargeId]

  const ordered: Readonly<Record<string, Ordered>> = {
    "the deliveries that a move withdraws": {
      store: async (opened) => {
        const charge = await payCharge(opened)
        await pool.query("UPDATE pixcharge.deliveries SET attempts = 0 WHERE endpoint_id = 'a'")
        return charge
      },
      first: "SELECT 1 FROM pixcharge.deliveries WHERE endpoint_id = 'a'",
      second: "SELECT 1 FROM pixcharge.deliveries WHERE endpoint_id = 'b'",
      act: ({ store }, charge) =>
        run(store.commit(aChange(charge, { next: aRefundingCharge(charge), unsent: "supersede" }))),
    },
    "the charges of a payer who is erased": {
      store: async (opened) => {
        await payCharge(opened, { id: ids[1], payer })
        return payCharge(opened, { id: ids[0], payer })
      },
      first: `SELECT 1 FROM pixcharge.charges WHERE id = '${ids[0]}'`,
      second: `SELECT 1 FROM pixcharge.charges WHERE id = '${ids[1]}'`,
      act: ({ payers }) => run(payers.erase(aCnpj, payer.taxId, later)),
    },
  }

  it.each(Object.entries(ordered))(
    "the order follows the keys, with any plan: %s",
    async (_, { store, first, second, act }) => {
      const stored = await store(await openStore({ db }))
      const scanning = ["nestloop", "mergejoin", "indexscan", "bitmapscan"].map((name) => [`enable_${name}`, "off"])
      const opened = await openStore({ db: withoutLockTimeout(poolWith(Object.fromEntries(scanning))) })
      const other = await otherSession(pool, (client) => client.query(`${first} FOR UPDATE`))
      const acting = act(opened, stored)
      await untilBlocking(other.client, pool)
      expect((await pool.query(`${second} FOR UPDATE NOWAIT`)).rowCount).toBe(1)
      await other.end()
      await acting
    },
  )
})

describe("unrelated rows", () => {
  const payer = { name: "Ana", taxId: cpf("52998224725") }
  const ids = { id: aChargeId(), transactionId: crypto.randomUUID() }
  const endToEndIds = { first: "E1234567820260603150000000000001", further: "E1234567820260603150000000000002" }

  /** Stores a paid charge with a further payment. The charge has the same id for every company. */
  const storeTwin = async (opened: Opened, issuer: Cnpj, { first, further } = endToEndIds) => {
    const charge = await insertCharge(opened, { ...ids, issuer, payer })
    const next = aPaidCharge(charge, aPayment(charge, { endToEndId: first }))
    const deliveries = ["a", "b"].map((endpointId) => ({ event: chargeEvent(next, "Padaria"), endpointId }))
    await run(opened.store.commit(aChange(charge, { next, payments: [next.payment], deliveries })))
    await run(opened.store.commit(aChange(next, { payments: [aPayment(next, { endToEndId: further })] })))
    return next
  }

  /** Stores the test's charge, another charge of its company, and a charge of another company. */
  const storeNeighbours = async (opened: Opened) => {
    await storeTwin(opened, anotherCnpj, { first: anEndToEndId(), further: anEndToEndId() })
    const otherCharge = await payCharge(opened)
    await run(opened.store.commit(aChange(otherCharge, { payments: [aPayment(otherCharge)] })))
    return storeTwin(opened, aCnpj)
  }

  /** Locks all rows except the rows of the charge and of one queue of the company. */
  const lockOthers = (client: pg.PoolClient) =>
    Promise.all(
      [
        `charges WHERE NOT (issuer = $1 AND id = '${ids.id}')`,
        `payments WHERE NOT (issuer = $1 AND end_to_end_id IN ('${endToEndIds.first}', '${endToEndIds.further}'))`,
        `deliveries WHERE NOT (issuer = $1 AND charge_id = '${ids.id}')`,
        `settled_deliveries WHERE NOT (issuer = $1 AND charge_id = '${ids.id}')`,
        `queue_leases WHERE NOT (issuer = $1 AND endpoint_id = 'a')`,
      ].map((rows) => client.query(`SELECT 1 FROM pixcharge.${rows} FOR UPDATE`, [aCnpj])),
    )

  interface Act {
    readonly before?: (opened: Opened) => Promise<ReadonlyArray<Claimed>>
    readonly act: (opened: Opened, charge: PaidCharge, claims: ReadonlyArray<Claimed>) => Promise<unknown>
    readonly answer: unknown
  }

  const isOwn = ({ event, endpointId }: Claimed) => event.payment?.chargeId === ids.id && endpointId === "a"
  const ofCompany = (claims: ReadonlyArray<Claimed>) =>
    claims.filter((claimed) => isOwn(claimed) && claimed.lease.issuer === aCnpj)

  const acts: Readonly<Record<string, Act>> = {
    "a commit": {
      act: ({ store }, charge) => {
        const further = aPayment(charge, { endToEndId: endToEndIds.further })
        const move = { next: aRefundingCharge(charge), unsent: "supersede", returns: [aReturn(further)] } as const
        return run(store.commit(aChange(charge, move))).then(({ moved }) => moved)
      },
      answer: true,
    },
    "a move of an exception": {
      act: ({ exceptions }) => {
        const next = { _tag: "Resolved", note: "fica", resolvedAt: now } as const
        const key = { issuer: aCnpj, endToEndId: endToEndIds.further }
        return run(exceptions.commit({ ...key, expectedVersion: 0, movedAt: fixtureNow, next, returns: [] }))
      },
      answer: true,
    },
    "an erasure": { act: ({ payers }) => run(payers.erase(aCnpj, payer.taxId, later)), answer: 1 },
    "a withdrawal": { act: ({ outbox }) => run(outbox.supersede(aCnpj, ids.id, later)), answer: 2 },
    "a replay": {
      before: async (opened) => {
        const claims = await claim(opened)
        await settle(opened, claims, { _tag: "Delivered" })
        return claims
      },
      act: ({ outbox }) => run(outbox.replay(aCnpj, { chargeId: ids.id }, later)),
      answer: 2,
    },
    "a settlement": {
      before: claim,
      act: (opened, _, claims) => settle(opened, ofCompany(claims), { _tag: "Delivered" }).then(({ length }) => length),
      answer: 1,
    },
    "a renewal": {
      before: claim,
      act: ({ outbox }, _, claims) =>
        run(
          outbox.renew(
            ofCompany(claims).map(({ lease }) => lease),
            leaseMs,
          ),
        ).then(({ length }) => length),
      answer: 1,
    },
  }

  it.each(Object.entries(acts))("locks on unrelated rows don't delay %s", async (_, { before, act, answer }) => {
    const opened = await openStore({ db })
    const charge = await storeNeighbours(opened)
    const claims = (await before?.(opened)) ?? []
    await otherSession(pool, lockOthers)
    expect(await act(opened, charge, claims)).toBe(answer)
  })
})
