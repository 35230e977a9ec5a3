import type { Charge } from "@pixcharge/core/charges"
import { parseFees } from "@pixcharge/core/money"
import type { Connection } from "@pixcharge/store-postgres"
import { aCnpj, aPaidCharge, aPayment, aPendingCharge, cpf, fixtureNow } from "@pixcharge/testkit/fixtures"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { beforeEach, describe, expect, it } from "vitest"
import { openStore, run } from "./openStore.ts"
import { realPostgres } from "./realPostgres.ts"

const pool = await realPostgres()
const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
const fees = Result.getOrThrow(parseFees({ fine: { kind: "percent", basisPoints: 200 } }))
const shown = { messageToPayer: "Olá, Ana", additionalInfo: [{ name: "Mesa", value: "12" }] }
const always = { from: 0, until: fixtureNow * 2 }
const longAfter = fixtureNow + 1e10

/** A connection on which something happens after the statement that reads charges, before the next one. */
const interrupted = (between: () => Promise<unknown>) => {
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

const archived = async () => {
  const { store, archive, payers } = await openStore({ db: pool })
  const charge = aPendingCharge({ payer, fees, ...shown })
  await run(store.insert(charge))
  const payment = aPayment(charge)
  const next = aPaidCharge(charge, payment)
  const { issuer, id, version: expectedVersion } = charge
  await run(store.commit({ issuer, id, expectedVersion, next, payments: [payment], returns: [], deliveries: [] }))
  expect(await run(archive.archive(longAfter, 10))).toBe(1)
  return { charge: next, erase: () => run(payers.erase(aCnpj, payer.taxId, longAfter)) }
}

beforeEach(async () => {
  await openStore({ db: pool })
  await pool.query("TRUNCATE pixcharge.charges, pixcharge.archived_texts, pixcharge.payments")
})

it("an archived charge leaves none of its texts in the hot table", async () => {
  await archived()
  const texts = "payer_name, payer_tax_id, message_to_payer, additional_info, fees, br_code"
  const hot = await pool.query(`SELECT ${texts} FROM pixcharge.charges`)
  const cold = await pool.query(`SELECT ${texts.replace(", br_code", "")} FROM pixcharge.archived_texts`)
  const none = { payer_name: null, payer_tax_id: null, message_to_payer: null, additional_info: null }
  expect(hot.rows).toEqual([{ ...none, fees: null, br_code: null }])
  const { messageToPayer: message_to_payer, additionalInfo: additional_info } = shown
  expect(cold.rows).toEqual([
    { payer_name: payer.name, payer_tax_id: payer.taxId, message_to_payer, additional_info, fees },
  ])
})

describe("an archived charge whose payer is erased while it is read", () => {
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

  it.each(Object.entries(reads))("is read by `%s` as it was before or after, never in between", async (_, read) => {
    const { charge, erase } = await archived()
    const { connection, arm } = interrupted(erase)
    const opened = await openStore({ db: connection })
    arm()
    const { payer: _payer, messageToPayer: _m, additionalInfo: _i, ...erased } = { ...charge, payerErasedAt: longAfter }
    const found = await read(opened, charge)
    expect([charge, erased]).toContainEqual(found)
  })

  it("is claimed for a check as it was before or after", async () => {
    const { charge, erase } = await archived()
    await pool.query("UPDATE pixcharge.charges SET check_at = to_timestamp($1)", [fixtureNow / 1000])
    const { connection, arm } = interrupted(erase)
    const { checks } = await openStore({ db: connection })
    arm()
    const [taken] = await run(checks.claimCharges({ now: longAfter, limit: 10, leaseMs: 1_000 }))
    const { checkAt: _, ...found } = taken ?? charge
    const { payer: _payer, messageToPayer: _m, additionalInfo: _i, ...erased } = { ...charge, payerErasedAt: longAfter }
    expect([charge, erased]).toContainEqual(found)
  })

  it("is read by one statement", async () => {
    const { charge } = await archived()
    let statements = 0
    const { connection, arm } = interrupted(async () => void statements++)
    const { store } = await openStore({ db: connection })
    arm()
    expect(await Effect.runPromise(store.find(charge.issuer, charge.id))).toEqual(charge)
    expect(statements).toBe(1)
  })
})
