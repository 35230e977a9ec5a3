import type { Change, Insertion } from "@pixcharge/core"
import type { PendingCharge } from "@pixcharge/core/charges"
import type { Connection } from "@pixcharge/store-postgres"
import { aChargeId, aPaidCharge, aPayment, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import type pg from "pg"
import { beforeEach, describe, expect, it } from "vitest"
import { isLockTimeout, realPostgres, until, untilBlocking } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"

// Postgres must report a deadlock before our time limits end the wait.
const pool = await realPostgres({ max: 30, options: "-c deadlock_timeout=20ms" })

const store = async (db: Connection = pool) => (await openStore({ db })).store

const columns =
  "issuer, id, transaction_id, amount_cents, created_at, payable_until, watch_until, state, version, updated_at"

const insertValues = ({ issuer, id, transactionId }: PendingCharge): string =>
  `('${issuer}', '${id}', '${transactionId}', 1990, now(), now(), now(), 'pending', 1, now())`

const inTransaction = async <A>(body: (client: pg.PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    return await body(client)
  } finally {
    client.release(true)
  }
}

const payingChange = (charge: PendingCharge, payment = aPayment(charge)): Change => ({
  issuer: charge.issuer,
  id: charge.id,
  expectedVersion: charge.version,
  next: aPaidCharge(charge, payment),
  payments: [payment],
  returns: [],
  deliveries: [],
})

const readRows = async (sql: string) => (await pool.query(sql)).rows as ReadonlyArray<Record<string, unknown>>

beforeEach(async () => {
  await store()
  await pool.query("TRUNCATE pixcharge.charges, pixcharge.payments")
})

describe("an id that another session is storing", () => {
  /** Runs `ours` while another session has inserted the same id without a commit, then commits that session. */
  const behindAnother = (theirs: PendingCharge, ours: () => Promise<unknown>) =>
    inTransaction(async (client) => {
      await client.query("BEGIN")
      await client.query(`INSERT INTO pixcharge.charges (${columns}) VALUES ${insertValues(theirs)}`)
      const answer = ours()
      await untilBlocking(client, pool)
      await client.query("COMMIT")
      return answer
    })

  it("naive: insert-or-select in one statement returns no row", async () => {
    const theirs = aPendingCharge()
    const ours = aPendingCharge({ id: theirs.id })
    const answer = await behindAnother(theirs, () =>
      readRows(`
        WITH fresh AS (
          INSERT INTO pixcharge.charges (${columns}) VALUES ${insertValues(ours)}
          ON CONFLICT DO NOTHING RETURNING transaction_id
        )
        SELECT transaction_id FROM fresh
        UNION ALL
        SELECT transaction_id FROM pixcharge.charges WHERE issuer = '${ours.issuer}' AND id = '${ours.id}'`),
    )
    expect(answer).toEqual([])
  })

  it("ours returns the existing charge", async () => {
    const theirs = aPendingCharge()
    const { insert } = await store()
    const answer = await behindAnother(theirs, () => run(insert(aPendingCharge({ id: theirs.id }))))
    expect(answer).toMatchObject({ _tag: "Exists", charge: { transactionId: theirs.transactionId } })
  })
})

describe("one id twice in a batch", () => {
  const twins = () => {
    const id = aChargeId()
    return [aPendingCharge({ id }), aPendingCharge({ id }), aPendingCharge()] as const
  }

  it("naive: DO UPDATE refuses the whole batch", async () => {
    const values = twins().map(insertValues).join(", ")
    const naive = `INSERT INTO pixcharge.charges (${columns}) VALUES ${values}
      ON CONFLICT (issuer, id) DO UPDATE SET id = excluded.id RETURNING transaction_id`
    await expect(readRows(naive)).rejects.toMatchObject({ code: "21000" })
    expect(await readRows("SELECT 1 FROM pixcharge.charges")).toEqual([])
  })

  it("ours stores the first call's charge and returns it to the second call", async () => {
    const { insert } = await store()
    const [first, second, other] = twins()
    const answers = await run(Effect.all([first, second, other].map(insert), { concurrency: "unbounded" }))
    expect(answers).toEqual([{ _tag: "Inserted" }, { _tag: "Exists", charge: first }, { _tag: "Inserted" }])
  })
})

describe("two payments of one charge in a batch", () => {
  const pair = async () => {
    const { insert, commit, find } = await store()
    const charge = aPendingCharge()
    await run(insert(charge))
    return { charge, payments: [aPayment(charge), aPayment(charge)] as const, commit, find }
  }

  const batch = (charge: PendingCharge, endToEndIds: ReadonlyArray<string>) => `
    change (issuer, id, expected, end_to_end_id) AS (
      VALUES ${endToEndIds.map((id) => `('${charge.issuer}', '${charge.id}'::uuid, 1, '${id}')`).join(", ")}
    ),
    moved AS (
      UPDATE pixcharge.charges c SET state = 'paid', version = c.version + 1, settled_by = g.end_to_end_id
      FROM change g WHERE c.issuer = g.issuer AND c.id = g.id AND c.version = g.expected
      RETURNING c.issuer, c.id, c.settled_by
    )`
  const payment = "issuer, end_to_end_id, charge_id, amount_cents, paid_at, recorded_at, late, other_amount, settles"

  it("naive: loses the payment that didn't move the charge", async () => {
    const { charge, payments } = await pair()
    await pool.query(`WITH ${batch(
      charge,
      payments.map(({ endToEndId }) => endToEndId),
    )}
      INSERT INTO pixcharge.payments (${payment})
      SELECT g.issuer, g.end_to_end_id, g.id, 1990, now(), now(), false, false, true
      FROM change g JOIN moved m ON m.id = g.id AND m.settled_by = g.end_to_end_id`)
    expect(await readRows("SELECT 1 FROM pixcharge.payments")).toHaveLength(1)
  })

  it("naive: records both payments as settling one move", async () => {
    const { charge, payments } = await pair()
    await pool.query(`WITH ${batch(
      charge,
      payments.map(({ endToEndId }) => endToEndId),
    )}
      INSERT INTO pixcharge.payments (${payment})
      SELECT g.issuer, g.end_to_end_id, g.id, 1990, now(), now(), false, false, true
      FROM change g JOIN moved m ON m.id = g.id`)
    expect(await readRows("SELECT 1 FROM pixcharge.payments WHERE settles")).toHaveLength(2)
  })

  it("ours records both payments, and one payment settles", async () => {
    const { charge, payments, commit, find } = await pair()
    const answers = await run(
      Effect.all(
        payments.map((one) => commit(payingChange(charge, one))),
        { concurrency: "unbounded" },
      ),
    )
    expect(answers.map(({ moved }) => moved)).toEqual([true, false])
    expect(answers.flatMap(({ freshPayments }) => freshPayments)).toEqual(payments.map((one) => one.endToEndId))
    const rows = await readRows("SELECT end_to_end_id, settles FROM pixcharge.payments")
    expect(rows).toHaveLength(2)
    expect(rows.filter(({ settles }) => settles)).toEqual([{ end_to_end_id: payments[0].endToEndId, settles: true }])
    expect(await run(find(charge.issuer, charge.id))).toMatchObject({ _tag: "Paid", payment: payments[0] })
  })

  it("naive: moves a charge without a payment if the endToEndId belongs to another charge's payment", async () => {
    const { charge, payments, commit } = await pair()
    await run(commit(payingChange(charge, payments[0])))
    const other = await pair()
    await pool.query(`WITH ${batch(other.charge, [payments[0].endToEndId])}
      INSERT INTO pixcharge.payments (${payment})
      SELECT g.issuer, g.end_to_end_id, g.id, 1990, now(), now(), false, false, true
      FROM change g JOIN moved m ON m.id = g.id
      ON CONFLICT DO NOTHING`)
    expect(
      await readRows(`
        SELECT state FROM pixcharge.charges c WHERE id = '${other.charge.id}' AND state = 'paid'
          AND NOT EXISTS (SELECT 1 FROM pixcharge.payments p WHERE p.charge_id = c.id)`),
    ).toHaveLength(1)
  })

  it("ours doesn't move the charge, and reports the foreign payment", async () => {
    const { charge, payments, commit } = await pair()
    await run(commit(payingChange(charge, payments[0])))
    const other = await pair()
    const stolen = { ...payments[0], chargeId: other.charge.id }
    expect(await run(commit(payingChange(other.charge, stolen)))).toEqual({
      moved: false,
      freshPayments: [],
      foreignPayments: [stolen.endToEndId],
    })
    expect(await run(other.find(other.charge.issuer, other.charge.id))).toEqual(other.charge)
  })
})

describe("two batches over the same rows in opposite orders", () => {
  const batchSize = 400

  it("naive: batches deadlock without sorting", async () => {
    const attempt = async () => {
      const charges = Array.from({ length: batchSize }, () => aPendingCharge())
      const insert = (batch: ReadonlyArray<PendingCharge>) =>
        pool.query(
          `INSERT INTO pixcharge.charges (${columns}) VALUES ${batch.map(insertValues).join(", ")} ON CONFLICT DO NOTHING`,
        )
      const answers = await Promise.allSettled([insert(charges), insert(charges.toReversed())])
      return answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason.code as string] : []))
    }
    const codes: Array<string> = []
    for (let round = 0; round < 60 && codes.length === 0; round++) codes.push(...(await attempt()))
    expect(codes).toEqual(["40P01"])
  })

  /** Records failure codes before any retry. Ignores lock time-outs, which can happen on a busy machine. */
  const recordCodes = (codes: Array<string>): Connection => ({
    query: async (statement) => {
      try {
        return await pool.query(statement)
      } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : ""
        if (code !== "55P03") codes.push(code)
        throw error
      }
    },
  })

  it("ours sorts inserts, and no batch deadlocks", async () => {
    const codes: Array<string> = []
    const stores = [
      await store(recordCodes(codes)),
      await store(recordCodes(codes)),
      await store(recordCodes(codes)),
    ] as const
    for (let round = 0; round < (process.env["LONG"] ? 120 : 15); round++) {
      const charges = Array.from({ length: 200 }, () => aPendingCharge())
      const orders = [charges, charges.toReversed(), charges.toSorted((a, b) => (a.txid < b.txid ? -1 : 1))]
      const answers: Array<Insertion> = (
        await Promise.all(
          orders.map((order, index) =>
            run(
              Effect.all(
                order.map((charge) => stores[index % 3]!.insert(charge)),
                { concurrency: "unbounded" },
              ),
            ),
          ),
        )
      ).flat()
      expect(answers.filter(({ _tag }) => _tag === "Inserted")).toHaveLength(200)
    }
    expect(codes).toEqual([])
  })

  it("ours sorts commits, and no batch deadlocks", async () => {
    const codes: Array<string> = []
    const stores = [await store(recordCodes(codes)), await store(recordCodes(codes))] as const
    for (let round = 0; round < (process.env["LONG"] ? 120 : 15); round++) {
      const charges = Array.from({ length: 100 }, () => aPendingCharge())
      await run(Effect.all(charges.map(stores[0].insert), { concurrency: "unbounded" }))
      const changes = charges.map((charge) => payingChange(charge))
      const answers = await Promise.all(
        [changes, changes.toReversed()].map((order, index) =>
          run(
            Effect.all(
              order.map((change) => stores[index % 2]!.commit(change)),
              { concurrency: "unbounded" },
            ),
          ),
        ),
      )
      expect(answers.flat().filter(({ moved }) => moved)).toHaveLength(100)
    }
    expect(codes).toEqual([])
  })
})

describe("a row that another session has locked", () => {
  const locked = async (db?: Connection) => {
    const { insert, commit } = await store(db)
    const charges = Array.from({ length: 40 }, () => aPendingCharge())
    await run(Effect.all(charges.map(insert), { concurrency: "unbounded" }))
    return { charges, blocked: charges[17]!, commit }
  }

  const holding = async <A>({ issuer, id }: PendingCharge, body: (client: pg.PoolClient) => Promise<A>) =>
    inTransaction(async (client) => {
      await client.query("BEGIN")
      await client.query("SELECT 1 FROM pixcharge.charges WHERE issuer = $1 AND id = $2 FOR UPDATE", [issuer, id])
      return body(client)
    })

  it("naive: the whole batch waits for the lock", async () => {
    const { charges, blocked } = await locked()
    expect(await readRows("SHOW lock_timeout")).toEqual([{ lock_timeout: "0" }])
    await holding(blocked, async (client) => {
      const ids = charges.map(({ id }) => `'${id}'`).join(", ")
      const batch = pool.query(`UPDATE pixcharge.charges SET version = 2 WHERE id IN (${ids})`)
      await untilBlocking(client, pool)
      expect(await readRows("SELECT 1 FROM pixcharge.charges WHERE version = 2")).toEqual([])
      await client.query("COMMIT")
      expect((await batch).rowCount).toBe(charges.length)
    })
  })

  /** Records the lock time-out of each statement that fails. */
  const recordWaits = (waits: Array<unknown>): Connection => ({
    query: async (statement) => {
      try {
        return await pool.query(statement)
      } catch (error) {
        waits.push(statement.values.find(isLockTimeout))
        throw error
      }
    },
  })

  it("ours finishes the other calls within half a second, and the blocked call after the lock is released", async () => {
    const waits: Array<unknown> = []
    const { charges, blocked, commit } = await locked(recordWaits(waits))
    const done = new Set<string>()
    await holding(blocked, async (client) => {
      const commits = charges.map((charge) =>
        run(commit(payingChange(charge))).then(({ moved }) => {
          if (moved) done.add(charge.id)
        }),
      )
      await until(() => done.size === charges.length - 1)
      expect(done.has(blocked.id)).toBe(false)
      // The blocked call is sent once in its batch, then by itself. It waits longer only after the other calls.
      await until(() => waits.length >= 2)
      expect(waits.slice(0, 2)).toEqual(["200ms", "5ms"])
      await client.query("COMMIT")
      await Promise.all(commits)
      expect(done.size).toBe(charges.length)
    })
  })

  it("ours fails only the blocked call if the lock stays, and doesn't write its rows", async () => {
    const { charges, blocked, commit } = await locked()
    await holding(blocked, async () => {
      const answers = await Promise.allSettled(charges.map((charge) => run(commit(payingChange(charge)))))
      const failed = answers.filter((answer) => answer.status === "rejected")
      expect(failed).toMatchObject([
        { reason: { _tag: "StoreUnavailable", operation: "commit", cause: { kind: "blocked", sqlState: "55P03" } } },
      ])
    })
    expect(await readRows(`SELECT 1 FROM pixcharge.payments WHERE charge_id = '${blocked.id}'`)).toEqual([])
  })
})

describe("a value that can't be stored", () => {
  it("naive: the value fails the whole batch", async () => {
    const insert = `INSERT INTO pixcharge.charges (${columns}) VALUES ${insertValues(aPendingCharge())}, ${insertValues(
      aPendingCharge({ transactionId: "no UUID" }),
    )}`
    await expect(readRows(insert)).rejects.toMatchObject({ code: "22P02" })
    expect(await readRows("SELECT 1 FROM pixcharge.charges")).toEqual([])
  })

  it("ours fails only the value's own call, and the error doesn't contain the value", async () => {
    const { insert } = await store()
    const name = "Ana\u0000Maria"
    const bad = aPendingCharge({ payer: { name, taxId: "52998224725" as never } })
    const charges = Array.from({ length: 40 }, () => aPendingCharge()).with(17, bad)
    const answers = await Promise.allSettled(charges.map((charge) => run(insert(charge))))
    const stored = answers.map((answer) => answer.status === "fulfilled" && answer.value._tag === "Inserted")
    expect(stored).toEqual(charges.map((charge) => charge !== bad))
    const failure = answers[17]
    expect(failure).toMatchObject({ reason: { _tag: "StoreUnavailable", cause: { kind: "badValue" } } })
    expect(JSON.stringify(failure)).not.toContain("Maria")
  })
})
