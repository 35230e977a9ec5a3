import type { Change } from "@pixcharge/core"
import type { PendingCharge, TermsRow } from "@pixcharge/core/charges"
import type { Connection } from "@pixcharge/store-postgres"
import {
  aCancelledCharge,
  aChange,
  aChangedCharge,
  aCnpj,
  aFirstRow,
  aPendingCharge,
  aRequestedRow,
  cents,
  cpf,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import { beforeEach, describe, expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { openCounted } from "./openCounted.ts"
import { openStore, run } from "./openStore.ts"

const pool = await realPostgres({ max: 8 })

type Opened = Pick<Awaited<ReturnType<typeof openStore>>, "store">

const issue = async ({ store }: Opened, overrides: Partial<PendingCharge> = {}): Promise<PendingCharge> => {
  const charge = aPendingCharge(overrides)
  await run(store.insert(charge))
  return charge
}

const requestRow = (charge: PendingCharge, overrides: Partial<TermsRow> = {}): Change => {
  const termsRows = [aFirstRow(charge), aRequestedRow(charge, overrides)]
  return aChange(charge, { next: aChangedCharge(charge, ...termsRows), termsRows })
}

beforeEach(async () => {
  await openStore({ db: pool })
})

describe("rows of terms on Postgres", () => {
  it("take one statement to write, and no additional statement to read", async () => {
    const db = await openCounted(pool)
    const [charge, other] = [await issue(db), await issue(db)]
    const usual = await db.statements(() => run(db.store.commit(aChange(other, { next: aCancelledCharge(other) }))))
    expect(usual).toHaveLength(1)
    for (const name of ["terms_rows", "amount_cents =", "UPDATE pixcharge.charge_texts"])
      expect(usual[0]).not.toContain(name)
    const written = await db.statements(() => run(db.store.commit(requestRow(charge))))
    expect(written).toHaveLength(1)
    expect(written[0]).toContain("terms_rows")
    const read = await db.statements(() => run(db.store.find(charge.issuer, charge.id)))
    expect(read).toEqual(await db.statements(() => run(db.store.find(other.issuer, other.id))))
    expect(read).toHaveLength(1)
  })

  it("add no byte to the answer about another charge", async () => {
    const { store } = await openStore({ db: pool })
    const charge = await issue({ store }, { reference: "Pedido 7" })
    const answers: Array<unknown> = []
    const query: Connection["query"] = async (statement) => {
      const answer = await pool.query(statement)
      answers.push(answer.rows)
      return answer
    }
    const seen = await openStore({ db: { query } })
    expect(await run(seen.store.find(charge.issuer, charge.id))).toEqual(charge)
    expect(JSON.stringify(answers)).toContain("Pedido 7")
    expect(JSON.stringify(answers)).not.toContain("terms_rows")
  })

  it("are written once after a lost answer, and not reported as ours", async () => {
    const db = await openCounted(pool)
    const change = requestRow(await issue(db))
    db.loseNextAnswer()
    expect(await run(db.store.commit(change))).toMatchObject({ moved: false })
    expect(await run(db.store.find(change.issuer, change.id))).toEqual(change.next)
  })

  it("aren't reported as ours if another process requested a change at the same time", async () => {
    for (const key of ["change-1", "other"]) {
      const db = await openCounted(pool)
      const charge = await issue(db)
      const theirs = requestRow(charge, { amountCents: cents(3) })
      const { store } = await openStore({ db: pool })
      db.before(async () => {
        expect(await run(store.commit(theirs))).toMatchObject({ moved: true })
      })
      db.loseNextAnswer()
      expect(await run(db.store.commit(requestRow(charge, { key })))).toMatchObject({ moved: false })
      expect(await run(db.store.find(charge.issuer, charge.id))).toEqual(theirs.next)
    }
  })

  it("share a statement with other commits, and each charge gets its own terms", async () => {
    const db = await openCounted(pool)
    const changes = await Promise.all(
      Array.from({ length: 9 }, async (_, index) => {
        const charge = await issue(db, { amountCents: cents(100 + index) })
        const inForceAt = { amountCents: cents(200 + index), inForceAt: 1, reference: `Pedido ${index}` }
        if (index % 3 === 0) return requestRow(charge, inForceAt)
        if (index % 3 === 1) return requestRow(charge)
        return aChange(charge, { next: { ...charge, version: charge.version + 1 } })
      }),
    )
    const sent = await db.statements(async () => {
      const answers = await Promise.all(changes.map((change) => run(db.store.commit(change))))
      expect(answers.map(({ moved }) => moved)).toEqual(changes.map(() => true))
    })
    expect(sent.length).toBeLessThan(changes.length)
    for (const { issuer, id, next } of changes) expect(await run(db.store.find(issuer, id))).toEqual(next)
  })

  it("don't bring back a payer who is erased while the change is under way", async () => {
    const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
    const [first, second] = [await openStore({ db: pool }), await openStore({ db: pool })]
    for (let round = 0; round < 40; round++) {
      const charge = await issue(first, { payer })
      const change = requestRow(charge, { payer: { ...payer, name: "Ana Lima" }, inForceAt: 1 })
      await Promise.all([
        run(second.payers.erase(aCnpj, payer.taxId, fixtureNow)),
        run(first.store.commit(change)).then(({ moved }) => expect(moved).toBe(true)),
      ])
      const found = await run(first.store.find(aCnpj, charge.id))
      expect(found).toMatchObject({ amountCents: 2_490, payerErasedAt: fixtureNow })
      expect(JSON.stringify(found)).not.toContain("Ana")
    }
  })
})
