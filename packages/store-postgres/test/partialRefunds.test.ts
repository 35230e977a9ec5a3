import type { Change } from "@pixcharge/core"
import type { PaidCharge } from "@pixcharge/core/charges"
import {
  aChange,
  aPaidCharge,
  aPartlyRefundedCharge,
  aPartialRefund,
  aPendingCharge,
  cents,
} from "@pixcharge/adapter-tests/fixtures"
import { beforeEach, describe, expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { openCounted } from "./openCounted.ts"
import { openStore, run } from "./openStore.ts"

const pool = await realPostgres({ max: 8 })

const payOne = async ({ store }: Awaited<ReturnType<typeof openCounted>>): Promise<PaidCharge> => {
  const charge = aPendingCharge()
  const next = aPaidCharge(charge)
  await run(store.insert(charge))
  await run(store.commit(aChange(charge, { next, payments: [next.payment] })))
  return next
}

const requestPart = (charge: PaidCharge, key = "a"): Change => {
  const partialRefund = aPartialRefund(charge, { key, amountCents: cents(5) })
  const audit = { kind: "partialRefundRequested", chargeId: charge.id, key, amountCents: 5 } as const
  return aChange(charge, { next: aPartlyRefundedCharge(charge, partialRefund), partialRefund, audit })
}

const countAuditRecords = async () => {
  const { rows } = await pool.query("SELECT details FROM pixcharge.audit_log WHERE kind = 'partialRefundRequested'")
  return rows.length
}

beforeEach(async () => {
  await openStore({ db: pool })
})

describe("a partial refund on Postgres", () => {
  it("takes one statement to write, and no additional statement to read", async () => {
    const db = await openCounted(pool)
    const charge = await payOne(db)
    const other = await payOne(db)
    const facts = await db.statements(() => run(db.store.commit(aChange(other, {}))))
    expect(facts).toHaveLength(1)
    expect(facts[0]).not.toContain("partial_refunds")
    const written = await db.statements(() => run(db.store.commit(requestPart(charge))))
    expect(written).toHaveLength(1)
    expect(written[0]).toContain("partial_refunds")
    const read = await db.statements(() => run(db.store.find(charge.issuer, charge.id)))
    expect(read).toEqual(await db.statements(() => run(db.store.find(other.issuer, other.id))))
    expect(read).toHaveLength(1)
  })

  it("is written once after a lost answer, and not reported as ours", async () => {
    const db = await openCounted(pool)
    const charge = await payOne(db)
    const change = requestPart(charge)
    const before = await countAuditRecords()
    db.loseNextAnswer()
    expect(await run(db.store.commit(change))).toMatchObject({ moved: false })
    expect(await run(db.store.find(charge.issuer, charge.id))).toEqual(change.next)
    expect((await countAuditRecords()) - before).toBe(1)
  })

  it("isn't reported as ours if another process requested a partial refund at the same time", async () => {
    for (const key of ["a", "b"]) {
      const db = await openCounted(pool)
      const charge = await payOne(db)
      const theirs = requestPart(charge)
      const { store } = await openStore({ db: pool })
      db.before(async () => {
        expect(await run(store.commit(theirs))).toMatchObject({ moved: true })
      })
      db.loseNextAnswer()
      expect(await run(db.store.commit(requestPart(charge, key)))).toMatchObject({ moved: false })
      expect(await run(db.store.find(charge.issuer, charge.id))).toEqual(theirs.next)
    }
  })

  it("shares a statement with other commits, and each commit gets its own answer", async () => {
    const db = await openCounted(pool)
    const charges = await Promise.all(Array.from({ length: 6 }, () => payOne(db)))
    const changes = charges.map((charge, index) => {
      const next = { ...charge, version: charge.version + 1 }
      return index % 2 === 0 ? requestPart(charge) : aChange(charge, { next })
    })
    const answers = await Promise.all(changes.map((change) => run(db.store.commit(change))))
    expect(answers.map(({ moved }) => moved)).toEqual(changes.map(() => true))
    for (const { issuer, id, next } of changes) expect(await run(db.store.find(issuer, id))).toEqual(next)
    // Then requests partial refunds of the other charges, together with moves of charges that have a partial refund.
    const later = changes.map(({ next }, index) => {
      const charge = next as PaidCharge
      return index % 2 === 0
        ? aChange(charge, { next: { ...charge, version: charge.version + 1 } })
        : requestPart(charge)
    })
    await Promise.all(later.map((change) => run(db.store.commit(change))))
    for (const { issuer, id, next } of later) expect(await run(db.store.find(issuer, id))).toEqual(next)
  })
})
