import { migrate } from "@pixcharge/store-postgres"
import { aCnpj, aRecurrence, cpf, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import { beforeAll, expect, it } from "vitest"
import type { Sql } from "../src/sql/Sql.ts"
import {
  claimRecurrences,
  findBankIdsOfOthers,
  findLastCharge,
  findOpenCharges,
  findRecurrence,
  listCycleCharges,
  listRecurrences,
  scheduleNamed,
} from "../src/recurrences/recurrences.sql.ts"
import { erasePayer } from "../src/reports/PostgresPayerData.ts"
import { searchCharges } from "../src/charges/chargeLists.sql.ts"
import { schemaName } from "../src/sql/SchemaName.ts"
import { plannedPostgres } from "./plannedPostgres.ts"

const { pool, fill, explain } = await plannedPostgres()
const schema = schemaName()
const { id } = aRecurrence()
const start = fixtureNow / 1_000
const later = start + 600_000

/**
 * Stores recurrences; few are due. Each recurrence has two charges; for one recurrence in a hundred, the bank gave up the second
 * charge.
 */
beforeAll(async () => {
  await migrate(pool)
  await fill(async (client) => {
    await client.query(`
      INSERT INTO pixcharge.recurrences (
        issuer, id, contract, terms, payer_tax_id, created_at, state, version, updated_at, check_at, next_cycle, bank_id
      )
      SELECT '${aCnpj}', CASE n WHEN 1 THEN '${id}'::uuid ELSE md5('recurrence ' || n)::uuid END, 'c' || n, '{}', lpad(n::text, 11, '0'), t,
        'approved', 1, t, to_timestamp(CASE WHEN n % 400 = 0 THEN ${start} ELSE ${later} END), 1, 'R' || n
      FROM generate_series(1, 8000) n, LATERAL (SELECT to_timestamp(${start} + n) AS t) m`)
    await client.query(`
      INSERT INTO pixcharge.charges (
        issuer, id, transaction_id, amount_cents, created_at, payable_until, watch_until, state, version, updated_at,
        recurrence_id, cycle, generation, cycle_terms, debit
      )
      SELECT issuer, md5(id || 'charge' || cycle)::uuid, md5(id || 'transaction' || cycle)::uuid, 1, created_at, created_at, created_at,
        CASE cycle WHEN 1 THEN 'paid' ELSE 'pending' END, 1, created_at, id, cycle, 1, '{}',
        json_build_object('status', CASE WHEN cycle = 2 AND right(contract, 2) = '00' THEN 'unpaid' ELSE 'requested' END)
      FROM pixcharge.recurrences, generate_series(1, 2) cycle`)
  })
})

const failed = searchCharges({ status: { is: "failed", at: 0 } }).statement.first

it.each<[string, Sql, ReadonlyArray<unknown>, string, number]>([
  ["an idle claim", claimRecurrences(schema), [start - 1, 50, later], "recurrences_to_check", 10],
  ["a claim", claimRecurrences(schema), [start + 1, 50, later], "recurrences_to_check", 20 * 40],
  ["a look-up", findRecurrence(schema), [aCnpj, id], "recurrences_pkey", 10],
  ["ids of other companies", findBankIdsOfOthers(schema), ["12345678000195", "c7"], "recurrences_by_contract", 10],
  [
    "the checks that a notice sets",
    scheduleNamed(schema),
    [aCnpj, JSON.stringify([{ bank_id: "R7" }, { bank_id: "R8" }]), later],
    "recurrences_by_bank_id",
    60,
  ],
  [
    "the checks that charges set",
    scheduleNamed(schema),
    [aCnpj, JSON.stringify([{ charge_id: id }]), later],
    "charges_pkey",
    40,
  ],
  ["the last charge of a cycle", findLastCharge(schema), [aCnpj, id, 2], "charges_by_cycle", 20],
  ["open charges", findOpenCharges(schema), [aCnpj, id, 10], "charges_by_cycle", 20],
  ["a page of charges", listCycleCharges.first(schema), [aCnpj, id, 20], "charges_by_cycle", 20],
  ["the next page of charges", listCycleCharges.next(schema), [aCnpj, id, 20, 2, 1], "charges_by_cycle", 20],
  ["an erasure", erasePayer(schema), [aCnpj, cpf("00000000191"), start, "ana", null], "recurrences_by_payer", 60],
  ["a page of debits that failed", failed(schema), [aCnpj, 0, later, 20], "charges_failed", 20 * 10],
])("a statement reads only its own rows: %s", async (_, statement, values, index, maxBlocks) => {
  const { readBlocks, indexes } = await explain(statement, values)
  expect(indexes).toContain(index)
  expect(readBlocks).toBeLessThan(maxBlocks)
})

it("a page of recurrences reads only its own rows, by payer, id or contract", async () => {
  for (const [filter, index] of [
    [{}, "recurrences_by_creation"],
    [{ payer: cpf("00000000191") }, "recurrences_by_payer"],
    [{ text: "000.000.001-91" }, "recurrences_by_payer"],
    [{ text: id }, "recurrences_pkey"],
    [{ text: id.replaceAll("-", "") }, "recurrences_by_contract"],
  ] as const) {
    const { statement, values } = listRecurrences(aCnpj, filter, [], 20)
    const { blocks, indexes } = await explain(statement(schema), values)
    expect(indexes).toContain(index)
    expect(blocks).toBeLessThan(40)
  }
})
