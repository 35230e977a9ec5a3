import type { KeptDays } from "@pixcharge/core/calendar"
import type { Charge } from "@pixcharge/core/charges"
import { parseFees } from "@pixcharge/core/money"
import type { Connection } from "@pixcharge/store-postgres"
import { aChange, aCnpj, aPaidCharge, aPendingCharge, cpf, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { beforeEach, describe, expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"

const pool = await realPostgres()
const address = { street: "Rua A, 1", city: "Recife", state: "PE", postalCode: "50010000" }
const payer = { name: "Ana Souza", taxId: cpf("52998224725"), email: "ana@example.com", address }
const requested = { fees: { fine: "none" }, graceDays: 3 } as const
const fees = Result.getOrThrow(parseFees({ fine: { kind: "percent", basisPoints: 200 } }))
const shown = { messageToPayer: "Olá, Ana", additionalInfo: [{ name: "Mesa", value: "12" }] }
const closedDays = { from: "2026-06-01", until: "2026-06-30", closed: ["2026-06-04"] } as unknown as KeptDays
const always = { from: 0, until: fixtureNow * 2 }
const longAfter = fixtureNow + 1e10

/** Runs `between` after each SELECT, before the next statement. */
const interruptReads = (between: () => Promise<unknown>) => {
  let isArmed = false
  const connection: Connection = {
    query: async (statement) => {
      const answer = await pool.query(statement)
      if (isArmed && statement.text.trimStart().startsWith("SELECT")) await between()
      return answer
    },
  }
  return { connection, arm: () => void (isArmed = true) }
}

const storePaidCharge = async () => {
  const { store, payers } = await openStore({ db: pool })
  const charge = aPendingCharge({ payer, fees, ...shown })
  await run(store.insert(charge))
  const next = aPaidCharge(charge)
  await run(store.commit(aChange(charge, { next, payments: [next.payment] })))
  return { charge: next, erase: () => run(payers.erase(aCnpj, payer.taxId, longAfter)) }
}

const texts =
  "payer_name, payer_tax_id, payer_email, payer_address, message_to_payer, additional_info, requested, fees, closed_days, br_code"
/** Reads the rows with their place (`ctid`), which a write changes. */
const readTextRows = async () =>
  (await pool.query(`SELECT ${texts}, created_at, ctid FROM pixcharge.charge_texts`)).rows

beforeEach(async () => {
  await openStore({ db: pool })
  await pool.query("TRUNCATE pixcharge.charges, pixcharge.charge_texts, pixcharge.payments")
})

it("a charge's texts are written once, and never by a move", async () => {
  const { store } = await openStore({ db: pool })
  const charge = aPendingCharge({ payer, requested, fees, closedDays, ...shown })
  const all = {
    payer_name: payer.name,
    payer_tax_id: payer.taxId,
    payer_email: payer.email,
    payer_address: address,
    requested,
    message_to_payer: shown.messageToPayer,
    additional_info: shown.additionalInfo,
    fees,
    closed_days: closedDays,
    br_code: charge.brCode,
    created_at: new Date(charge.createdAt),
    ctid: "(0,1)",
  }
  await run(store.insert(charge))
  expect(await readTextRows()).toEqual([all])
  const next = aPaidCharge(charge)
  await run(store.commit(aChange(charge, { next, payments: [next.payment] })))
  expect(await readTextRows()).toEqual([all])
})

it("an insertion doesn't write texts under ids that are taken", async () => {
  const { store } = await openStore({ db: pool })
  const [older, newer] = [aPendingCharge({ payer }), aPendingCharge({ payer })]
  await run(store.insert(older))
  await run(store.insert(newer))
  const before = await readTextRows()
  const others = [older, newer].map(({ id }) => aPendingCharge({ id, messageToPayer: "another" }))
  const fresh = aPendingCharge()
  const insertions = Effect.forEach([...others, fresh], store.insert, { concurrency: "unbounded" })
  expect(await run(insertions)).toEqual([
    { _tag: "Exists", charge: older },
    { _tag: "Exists", charge: newer },
    { _tag: "Inserted" },
  ])
  const codes = (await readTextRows()).map(({ br_code }) => br_code)
  expect([before.length, codes]).toEqual([2, [older.brCode, newer.brCode, fresh.brCode]])
})

describe("a charge whose payer is erased during a read", () => {
  type Opened = Awaited<ReturnType<typeof openStore>>
  const reads: Readonly<Record<string, (opened: Opened, charge: Charge) => Promise<Charge | undefined>>> = {
    find: ({ store }, { issuer, id }) => run(store.find(issuer, id)),
    charges: async ({ lists }) => (await run(lists.charges(aCnpj, always, { limit: 10 }))).items[0],
    exportPayer: async ({ payers }) => (await run(payers.export(aCnpj, payer.taxId))).charges[0],
    insert: async ({ store }, { id }) => {
      const insertion = await run(store.insert(aPendingCharge({ id, payer })))
      return insertion._tag === "Exists" ? insertion.charge : undefined
    },
  }

  it.each(Object.entries(reads))(
    "`%s` reads the charge as it was before or after the erasure, not in between",
    async (_, read) => {
      const { charge, erase } = await storePaidCharge()
      const { connection, arm } = interruptReads(erase)
      const opened = await openStore({ db: connection })
      arm()
      const {
        payer: _payer,
        messageToPayer: _m,
        additionalInfo: _i,
        ...erased
      } = { ...charge, payerErasedAt: longAfter }
      const found = await read(opened, charge)
      expect([charge, erased]).toContainEqual(found)
    },
  )

  it("a claim returns the charge as it was before or after the erasure", async () => {
    const { charge, erase } = await storePaidCharge()
    await pool.query("UPDATE pixcharge.charges SET check_at = to_timestamp($1)", [fixtureNow / 1000])
    const { connection, arm } = interruptReads(erase)
    const { checks } = await openStore({ db: connection })
    arm()
    const [taken] = await run(checks.claimCharges({ now: longAfter, limit: 10, leaseMs: 1_000 }))
    const { checkAt: _, ...found } = taken ?? charge
    const { payer: _payer, messageToPayer: _m, additionalInfo: _i, ...erased } = { ...charge, payerErasedAt: longAfter }
    expect([charge, erased]).toContainEqual(found)
  })

  it("one statement reads the whole charge", async () => {
    const { charge } = await storePaidCharge()
    let statements = 0
    const { connection, arm } = interruptReads(async () => void statements++)
    const { store } = await openStore({ db: connection })
    arm()
    expect(await Effect.runPromise(store.find(charge.issuer, charge.id))).toEqual(charge)
    expect(statements).toBe(1)
  })
})
