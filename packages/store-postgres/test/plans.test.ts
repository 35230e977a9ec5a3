import { type ExceptionStatus, lateRefundMs } from "@pixcharge/core/charges"
import { migrate } from "@pixcharge/store-postgres"
import { aChargeId, aCnpj, anotherCnpj, aPendingCharge, cpf, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { listAuditLog } from "../src/reports/PostgresAuditLog.ts"
import { newChargeRow } from "../src/charges/ChargeRow.ts"
import { insertCharges } from "../src/charges/chargeColumns.sql.ts"
import { commitCharges } from "../src/charges/commitCharges.sql.ts"
import { findChanged, findCharges, findOwners, findStandings } from "../src/charges/findCharges.sql.ts"
import { claimCharges, claimExceptions, lookForWork } from "../src/charges/dueChecks.sql.ts"
import { findCompanyByPixKey, findEndpoints, removeCallback } from "../src/directory/directory.sql.ts"
import { countCharges } from "../src/reports/PostgresChargeCounts.ts"
import { chargeExceptions, commitException, openExceptions, searchExceptions } from "../src/charges/exceptions.sql.ts"
import {
  findPaymentInAnyCase,
  findPayments,
  findReturns,
  listPayments,
  searchCharges,
} from "../src/charges/chargeLists.sql.ts"
import { claimByQueue, claimFromHead, readQueues } from "../src/outbox/claimQueues.sql.ts"
import { listDeliveries } from "../src/outbox/listDeliveries.sql.ts"
import {
  listAttempts,
  measureQueue,
  measureWaiting,
  purgeDeliveries,
  replayDeliveries,
} from "../src/outbox/operations.sql.ts"
import { erasePayer, exportPayer } from "../src/reports/PostgresPayerData.ts"
import {
  claimReconciliation,
  enterCompanies,
  saveReconciliation,
  waitingCharges,
  wakeCompany,
} from "../src/charges/reconciliations.sql.ts"
import { repeatable } from "../src/sql/Sql.ts"
import { schemaName } from "../src/sql/SchemaName.ts"
import { type PlanNode, plannedPostgres, planNodes } from "./plannedPostgres.ts"

const { pool, fill, explain } = await plannedPostgres()
const schema = schemaName()

const charges = 40_000
/** The number of exceptions: 200 under refund, and two for each fortieth charge. */
const exceptions = 200 + charges / 20
const settled = 60_000
const paused = 40_000
const due = 300
/**
 * The number of companies with later turns. One company has the same number of unpaid charges; a hundred of them are due for the
 * first time.
 */
const companies = 20_000
const sweptIssuer = "30000000000000"
const start = 1_780_000_000
const recently = 1_790_000_000
const later = 2_000_000_000

/** Stores many charges and settled deliveries, a long queue for a stopped endpoint, and a short queue behind it. */
beforeAll(async () => {
  await migrate(pool)
  // Spreads rows over three times the pages. Otherwise the planner would scan this table sooner than a host's wider rows.
  await pool.query("ALTER TABLE pixcharge.charges SET (fillfactor = 30)")
  await fill(async (client) => {
    await client.query(`
      INSERT INTO pixcharge.charges (
        issuer, id, transaction_id, amount_cents, created_at, payable_until, watch_until, state, version,
        updated_at, check_at, settled_by
      )
      SELECT
        '${aCnpj}', md5('charge ' || n)::uuid, md5('transaction ' || n)::uuid, n, t, t, t,
        CASE WHEN n % 4 = 0 THEN 'paid' ELSE 'pending' END, 2, t, CASE WHEN n % 200 = 1 THEN t END, 'E' || n
      FROM generate_series(1, ${charges}) n, LATERAL (SELECT to_timestamp(1780000000 + n) AS t) m`)
    await client.query(`
      INSERT INTO pixcharge.payments (issuer, end_to_end_id, charge_id, amount_cents, paid_at, recorded_at, late, other_amount, settles)
      SELECT issuer, settled_by, id, amount_cents, created_at, created_at, false, false, true
      FROM pixcharge.charges WHERE state = 'paid'`)
    await client.query(`
      INSERT INTO pixcharge.payments (
        issuer, end_to_end_id, amount_cents, paid_at, recorded_at, late, other_amount, settles,
        exception_state, exception_version, refund_id, refund_attempt, refund_requested_at, refund_check_at
      )
      SELECT '${aCnpj}', 'R' || n, n, t, t, false, false, false, 'refunding', 1, 'R' || n, 0, t, t
      FROM generate_series(1, 200) n, LATERAL (SELECT to_timestamp(1780000000 + n) AS t) m`)
    await client.query(`
      INSERT INTO pixcharge.settled_deliveries (
        issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, attempts, recorded, status, settled_at
      )
      SELECT
        '${aCnpj}', 'evt_' || n, 'loja', '{}', 'paid', to_timestamp(${recently} - n), md5('settled ' || n)::uuid, 2, 1, 1,
        CASE WHEN n % 20000 = 7 THEN 'dead' ELSE 'delivered' END, to_timestamp(${recently})
      FROM generate_series(1, ${settled}) n`)
    await client.query(`
      INSERT INTO pixcharge.deliveries (
        issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, queued_at, next_at
      )
      SELECT
        '${aCnpj}', 'evt_waiting_' || n, CASE WHEN n <= ${paused} THEN 'parada' ELSE 'loja' || n % 3 END,
        '{}', CASE WHEN n % 2 = 0 THEN 'paid' ELSE 'refunded' END, to_timestamp(${recently}), md5('waiting ' || n)::uuid, 2,
        to_timestamp(${recently}), to_timestamp(1780000000 + n * 0.001)
      FROM generate_series(1, ${paused + due}) n`)
    await client.query(`
      INSERT INTO pixcharge.returns (issuer, end_to_end_id, id, kind, amount_cents, returned_at)
      SELECT issuer, end_to_end_id, 'D1', 'outside', 1, paid_at FROM pixcharge.payments`)
    // Further payments: for each fortieth charge an exception, and a payment without a known charge.
    await client.query(`
      INSERT INTO pixcharge.payments (
        issuer, end_to_end_id, charge_id, txid, amount_cents, paid_at, recorded_at, late, other_amount, settles, exception_state
      )
      SELECT issuer, kind || amount_cents, CASE kind WHEN 'F' THEN id END, 'T' || amount_cents, 1, created_at, created_at,
        false, false, false, CASE WHEN amount_cents % 800 = 0 THEN 'open' ELSE 'resolved' END
      FROM pixcharge.charges, (VALUES ('F'), ('S')) k (kind) WHERE amount_cents % 40 = 0`)
    await client.query(`
      INSERT INTO pixcharge.audit_log (issuer, actor, kind, details)
      SELECT issuer, 'ana', 'payerShown', json_build_object('chargeId', id) FROM pixcharge.charges WHERE amount_cents % 4 = 0
      UNION ALL
      SELECT issuer, 'ana', 'exceptionResolved', json_build_object('endToEndId', end_to_end_id, 'hasNote', false)
      FROM pixcharge.payments WHERE exception_state = 'resolved'`)
    await client.query(`
      INSERT INTO pixcharge.queue_leases (issuer, endpoint_id, token, lease_until)
      SELECT '${anotherCnpj}', 'loja' || n, md5('lease ' || n)::uuid, to_timestamp(${start}) FROM generate_series(1, 20000) n`)
    // Every hundredth charge has a partial refund.
    await client.query(`
      INSERT INTO pixcharge.partial_refunds (
        issuer, charge_id, key, amount_cents, requested_at, refund_id, refund_attempt, refund_requested_at
      )
      SELECT issuer, id, 'a', 1, created_at, 'P1', 1, created_at FROM pixcharge.charges WHERE amount_cents % 100 = 4`)
    await client.query("UPDATE pixcharge.charges SET has_partial_refunds = true WHERE amount_cents % 100 = 4")
    await client.query(`
      INSERT INTO pixcharge.charge_texts (issuer, id, br_code, created_at, payer_name, payer_tax_id, reference)
      SELECT issuer, id, repeat('x', 180), created_at, CASE amount_cents % 2 WHEN 0 THEN 'João ' || amount_cents END,
        CASE amount_cents % 2 WHEN 0 THEN lpad(amount_cents::text, 11, '0') END, 'pedido ' || amount_cents / 3
      FROM pixcharge.charges`)
    // Every hundredth charge has rows of terms.
    await client.query(`
      UPDATE pixcharge.charge_texts SET terms_rows = json_build_object('1', json_build_object('payer', json_build_object('taxId', '7')))
      WHERE id IN (SELECT id FROM pixcharge.charges WHERE amount_cents % 100 = 8)`)
    await client.query(`
      INSERT INTO pixcharge.charges (
        issuer, id, transaction_id, amount_cents, created_at, payable_until, watch_until, state, version,
        updated_at, check_at, look_up_at
      )
      SELECT '${sweptIssuer}', md5('swept ' || n)::uuid, md5('swept transaction ' || n)::uuid, ${charges} + n % 5000, t, t, w, 'pending', 1, t,
        CASE WHEN n % 200 = 0 THEN t ELSE w END, CASE WHEN n % 200 = 0 THEN w END
      FROM generate_series(1, ${companies}) n,
        LATERAL (SELECT to_timestamp(${start} + n) AS t, to_timestamp(${later} + n * 100) AS w) m`)
    await client.query(`
      INSERT INTO pixcharge.charge_texts (issuer, id, br_code, created_at, payer_name)
      SELECT issuer, id, repeat('x', 180), created_at, 'Ana' FROM pixcharge.charges WHERE issuer = '${sweptIssuer}'`)
    await client.query(`
      INSERT INTO pixcharge.reconciliations (issuer, since, reconciled_until, returns_due_at, next_at)
      SELECT (${sweptIssuer} + n)::text, t, t, t, t + interval '1 hour'
      FROM generate_series(0, ${companies - 1}) n, LATERAL (SELECT to_timestamp(${start} + n) AS t) m`)
    // Registrations without their audit records.
    await client.query("SET LOCAL session_replication_role = replica")
    await client.query(`
      INSERT INTO pixcharge.companies (cnpj, name, city, pix_key, wallet_active, own_bank_domicile, grace_days)
      SELECT n::text, 'Loja', 'Recife', 'chave ' || n, true, true, 5 FROM generate_series(1, 2000) n`)
    await client.query(`
      INSERT INTO pixcharge.endpoints (id, owner, url, kid, sealed_secrets, kinds, status)
      SELECT 'loja' || n, n::text, 'https://example.com', '1', repeat('x', 200), '[]', 'enabled' FROM generate_series(1, 2000) n`)
  })
})

const claim = (now: number, except: ReadonlyArray<string> = []) => [now, 50, 16, 30_000, JSON.stringify(except), 2_000]

describe("a statement's plan", () => {
  it("a claim of queues reads a bounded part of the waiting deliveries, and neither settled deliveries nor charges", async () => {
    const plan = await explain(claimFromHead(schema), claim(later))
    expect([...plan.tables].toSorted()).toEqual(["deliveries", "queue_leases"])
    expect(plan.scanned).toEqual([])
    expect(plan.indexes).toContain("deliveries_due")
    expect(plan.indexes).toContain("deliveries_due_by_queue")
    expect(plan.blocks).toBeLessThan(400)
  })

  it("a claim that finds no queue reads few pages among many settled and postponed deliveries", async () => {
    const plan = await explain(claimFromHead(schema), claim(1_000))
    expect(plan.blocks).toBeLessThan(30)
  })

  it("a claim finds queues behind a long leased or excluded queue without reading all of that queue", async () => {
    const head = await explain(claimFromHead(schema), claim(later, ["parada"]))
    expect(head.scanned).toEqual([])
    expect(head.blocks).toBeLessThan(400)
    const plan = await explain(claimByQueue(schema), claim(later, ["parada"]))
    expect([...plan.tables].toSorted()).toEqual(["deliveries", "queue_leases"])
    expect(plan.scanned).toEqual([])
    expect(plan.indexes).toContain("deliveries_due_by_queue")
    expect(plan.blocks).toBeLessThan(500)
  })

  it("a read of leased queues reads only those queues' deliveries", async () => {
    const token = "8f14e45f-ceea-467f-ab8a-3f0f5a4d7d10"
    const endpoints = ["parada", "loja0", "loja1", "loja2"]
    await pool.query(
      `INSERT INTO pixcharge.queue_leases SELECT '${aCnpj}', e, '${token}', now() FROM unnest($1::text[]) e`,
      [endpoints],
    )
    const queues = endpoints.map((endpoint_id) => ({ issuer: aCnpj, endpoint_id, token, max_rows: 50 }))
    const plan = await explain(readQueues(schema), [later, JSON.stringify(queues)])
    await pool.query("DELETE FROM pixcharge.queue_leases WHERE token = $1", [token])
    expect(plan.scanned).toEqual([])
    expect(plan.indexes).toContain("deliveries_due_by_queue")
    // Six pages for each delivery: its row, and a refund's look-up of an earlier delivery.
    expect(plan.blocks).toBeLessThan(200 * 6)
  })

  it("an insertion logs two rows for a charge, four index entries, and that its key is free", async () => {
    const payer = { name: "Ana", taxId: cpf("52998224725") }
    const more = { payer, checkAt: fixtureNow + 45_000, lookUpAt: fixtureNow + 90_000 }
    const rows = Array.from({ length: 20 }, () => newChargeRow(aPendingCharge(more)))
    const client = await pool.connect()
    await client.query("BEGIN")
    const values = [JSON.stringify(rows), "200ms"]
    const plan = await client.query(`EXPLAIN (ANALYZE, WAL, FORMAT JSON) ${insertCharges(schema).text}`, values)
    await client.query("ROLLBACK")
    client.release()
    const inserts = planNodes(plan.rows[0]["QUERY PLAN"][0].Plan).filter((node) => node["Node Type"] === "ModifyTable")
    expect(
      inserts.map((node) => [node["Relation Name"], Math.round((node["WAL Records"] ?? 0) / rows.length)]),
    ).toEqual([
      ["charges", 5],
      ["charge_texts", 2],
    ])
  })

  it("a look-up of charges finds each charge and its payment by key", async () => {
    const { rows } = await pool.query("SELECT issuer, id FROM pixcharge.charges ORDER BY id LIMIT 64")
    const plan = await explain(findCharges(schema), [JSON.stringify(rows)])
    expect(plan.scanned).toEqual([])
    expect(plan.indexes).toContain("charges_pkey")
    expect(plan.blocks).toBeLessThan(64 * 20)
  })

  it("a look-up of payments and their owners probes each key, among any number of companies", async () => {
    const known = await pool.query("SELECT issuer, end_to_end_id FROM pixcharge.payments LIMIT 64")
    const payments = JSON.stringify(known.rows.map(({ end_to_end_id }) => end_to_end_id))
    const found = await explain(findPayments(schema), [known.rows[0].issuer, payments])
    expect([found.scanned, found.indexes.has("payments_pkey")]).toEqual([[], true])
    expect(found.blocks).toBeLessThan(64 * 8)
    const one = await explain(findPaymentInAnyCase(schema), [aCnpj, "e20000", "e20000", "E20000", "e20000"])
    expect([one.scanned, one.indexes.has("payments_pkey")]).toEqual([[], true])
    expect(one.blocks).toBeLessThan(3 * 8)
    const owners = await explain(findOwners(schema), [payments.toLowerCase()])
    expect([owners.scanned, owners.indexes.has("payment_owners_pkey")]).toEqual([[], true])
    expect(owners.blocks).toBeLessThan(64 * 8)
  })

  it("a look-up of changed charges probes each key, and reads only the changed charges", async () => {
    const { rows } = await pool.query("SELECT issuer, id, version FROM pixcharge.charges ORDER BY id LIMIT 5000")
    const still = await explain(findChanged(schema), [JSON.stringify(rows)])
    expect(still.scanned).toEqual([])
    expect(still.indexes).toContain("charges_pkey")
    expect(still.blocks).toBeLessThan(5_000 * 6)
    const moved = rows.map((row, index) => ({ ...row, version: index < 10 ? 1 : row.version }))
    const some = await explain(findChanged(schema), [JSON.stringify(moved)])
    expect(some.scanned).toEqual([])
    expect(some.blocks).toBeLessThan(still.blocks + 10 * 20)
  })

  it("a look-up of standings probes each key, among any number of companies and charges", async () => {
    const { rows } = await pool.query(`
      SELECT issuer, end_to_end_id, CASE WHEN charge_id IS NULL THEN gen_random_uuid() END AS charge_id
      FROM pixcharge.payments ORDER BY end_to_end_id LIMIT 1000`)
    const plan = await explain(findStandings(schema), [JSON.stringify(rows)])
    expect(plan.scanned).toEqual([])
    expect([...plan.indexes]).toEqual(expect.arrayContaining(["payments_pkey", "charges_pkey", "returns_pkey"]))
    expect(plan.blocks).toBeLessThan(1_000 * 11)
  })

  it("a look-up of charges finds their texts by key", async () => {
    const { rows } = await pool.query("SELECT issuer, id FROM pixcharge.charges LIMIT 64")
    const plan = await explain(findCharges(schema), [JSON.stringify(rows)])
    expect(plan.read).toContain("charge_texts")
    expect(plan.indexes).toContain("charge_texts_pkey")
    expect(plan.scanned).toEqual([])
  })

  it("an export and an erasure read the company's documents from an index, and only the payer's rows", async () => {
    const payer = "00000020002"
    const exported = await explain(exportPayer(schema), [aCnpj, payer])
    const erased = await explain(erasePayer(schema), [aCnpj, payer, later, "ana", null])
    for (const plan of [exported, erased]) {
      // `recurrencePlans.test.ts` tests recurrences.
      expect(plan.scanned.filter((table) => table !== "recurrences")).toEqual([])
      expect(plan.indexes).toContain("charge_texts_pkey")
      expect(plan.indexes).toContain("charge_texts_changed")
      expect(plan.blocks).toBeLessThan(charges / 40)
    }
  })

  it("a look-up of charges reads partial refunds only for charges that have some", async () => {
    const keys = async (condition: string) => {
      const { rows } = await pool.query(`SELECT issuer, id FROM pixcharge.charges WHERE ${condition} LIMIT 64`)
      return [JSON.stringify(rows)]
    }
    const without = await explain(findCharges(schema), await keys("state = 'paid' AND NOT has_partial_refunds"))
    expect(without.read).toContain("returns")
    expect(without.read).not.toContain("partial_refunds")
    const partlyRefunded = await explain(findCharges(schema), await keys("has_partial_refunds"))
    expect(partlyRefunded.read).toContain("partial_refunds")
    expect(partlyRefunded.indexes).toContain("partial_refunds_pkey")
    expect(partlyRefunded.scanned).toEqual([])
    expect(commitCharges(schema).text).not.toContain("partial_refunds")
  })

  it("a commit reads only its charge, and a return only its payment", async () => {
    const { rows } = await pool.query(
      "SELECT issuer, id, settled_by FROM pixcharge.charges WHERE state = 'paid' ORDER BY id LIMIT 16",
    )
    const changes = rows.map(({ issuer, id }) => ({ issuer, id, expected: 1, moves: false }))
    const returns = rows.map(({ issuer, settled_by }) => ({
      issuer,
      id: "D2",
      end_to_end_id: settled_by,
      kind: "outside",
      amount_cents: 1,
      returned_at: 1,
    }))
    const plan = await explain(commitCharges(schema), [
      JSON.stringify(changes),
      "[]",
      JSON.stringify(returns),
      "[]",
      "1s",
      lateRefundMs,
    ])
    expect(plan.scanned).not.toContain("charges")
    expect(plan.scanned).not.toContain("returns")
    expect(plan.blocks).toBeLessThan(16 * 40)
  })

  it("a payment's commit doesn't read waiting deliveries, even with a plan from an empty outbox", async () => {
    const young = "young"
    await migrate(pool, { schema: young })
    await pool.query(`
      INSERT INTO ${young}.charges SELECT * FROM pixcharge.charges WHERE state = 'paid' LIMIT 16;
      ANALYZE ${young}.charges, ${young}.deliveries`)
    const { rows } = await pool.query(`SELECT issuer, id, version FROM ${young}.charges`)
    const changes = rows.map(({ issuer, id, version }) => ({
      issuer,
      id,
      expected: version,
      moves: true,
      brings_settling: false,
      state: "paid",
      version: version + 1,
      updated_at: 1,
    }))
    const client = await pool.connect()
    onTestFinished(async () => {
      await client.query("DEALLOCATE paying; RESET plan_cache_mode")
      client.release()
    })
    await client.query("SET plan_cache_mode = force_generic_plan")
    await client.query(`PREPARE paying AS ${commitCharges(schemaName(young)).text}`)
    const explainPrepared = (how: string) =>
      client.query(
        `EXPLAIN (${how}) EXECUTE paying ('${JSON.stringify(changes)}', '[]', '[]', '[]', '1s', ${lateRefundMs})`,
      )
    await explainPrepared("FORMAT JSON")
    await pool.query(`INSERT INTO ${young}.deliveries SELECT * FROM pixcharge.deliveries`)
    const nodes = planNodes((await explainPrepared("ANALYZE, FORMAT JSON")).rows[0]["QUERY PLAN"][0].Plan)
    const rowsRead = (node: PlanNode) => node["Actual Rows"] * node["Actual Loops"]
    const lookedInto = nodes.filter((node) => node["Node Type"].includes("Scan") && rowsRead(node) > 0)
    expect(lookedInto.map((node) => node["Relation Name"])).not.toContain("deliveries")
  })

  it("an exception's commit reads only its payment", async () => {
    const change = { issuer: aCnpj, end_to_end_id: "R7", expected: 1, state: "open" }
    const plan = await explain(commitException(schema), [JSON.stringify(change), "[]", "[]"])
    expect(plan.scanned).toEqual([])
    expect(plan.blocks).toBeLessThan(40)
  })

  it("entering companies probes the index once for each company", async () => {
    const plan = await explain(enterCompanies(schema), [2_000_000_000, true])
    expect(plan.indexes).toContain("charges_by_creation")
    expect(plan.scanned).not.toContain("charges")
    expect(plan.blocks).toBeLessThan(60)
  })

  const searchValues = (
    values: Readonly<Record<string, unknown>>,
    parameters: ReadonlyArray<string>,
    limit: number,
  ) => [...parameters.map((name) => values[name] ?? null), limit]
  const whole = { issuer: aCnpj, from: 0, until: 2_000_000_000, at: 2_000_000_000 }

  it("a page of charges reads its own rows or a status index, and never the whole table", async () => {
    const { parameters, statement } = searchCharges({})
    const any = await explain(statement.first(schema), searchValues(whole, parameters, 50))
    expect(any.scanned).not.toContain("charges")
    expect(any.indexes).toContain("charges_by_creation")
    expect(any.blocks).toBeLessThan(50 * 20)
    for (const status of ["paid", "expired"] as const) {
      const search = searchCharges({ status: { is: status, at: 0 } })
      const plan = await explain(search.statement.first(schema), searchValues(whole, search.parameters, 50))
      expect(plan.scanned).not.toContain("charges")
      expect(plan.blocks).toBeLessThan(50 * 25)
    }
    for (const status of ["pending", "refunding", "refunded", "cancelled"] as const) {
      const search = searchCharges({ status: { is: status, at: 0 } })
      const plan = await explain(search.statement.first(schema), searchValues(whole, search.parameters, 50))
      expect(plan.scanned).not.toContain("charges")
      expect(plan.indexes).toContain("charges_by_creation")
      // The index has each charge's status, so the rows aren't read.
      expect(plan.blocks).toBeLessThan(charges / 40)
    }
  })

  it("a search by text reads only indexes and its matches", async () => {
    const { rows } = await pool.query(
      "SELECT id, transaction_id, settled_by FROM pixcharge.charges WHERE state = 'paid' AND amount_cents = 20000",
    )
    const { id, transaction_id: transactionId, settled_by: endToEndId } = rows[0]
    const texts = {
      charges_pkey: { firstId: id, lastId: id },
      charges_by_creation: { firstId: transactionId, lastId: transactionId },
      payments_pkey: { endToEndId },
      charge_texts_pkey: { payerTaxId: "52998224725" },
      "charge_texts_pkey, by name": { payerWord: " 700", payerPattern: "% 700%" },
      charge_texts_by_reference: { reference: "pedido 700" },
    }
    for (const [index, text] of Object.entries(texts)) {
      const { parameters, statement } = searchCharges({ text: "", status: { is: "paid", at: 0 } })
      const plan = await explain(statement.first(schema), searchValues({ ...whole, ...text }, parameters, 50))
      expect(plan.scanned, index).toEqual([])
      expect(plan.indexes).toContain(index.split(",")[0])
      expect(plan.blocks, index).toBeLessThan(charges / 40)
    }
  })

  it("a search for a payment's amount reads only the period's payments, by an index", async () => {
    const { parameters, statement } = searchCharges({ text: "" })
    const look = (from: number, more: object) =>
      explain(statement.first(schema), searchValues({ ...whole, from, until: from + 100, ...more }, parameters, 50))
    const plan = await look(start + 5_000, { amountCents: 5_050 })
    expect(plan.scanned).toEqual([])
    expect(plan.indexes).toContain("payments_by_moment")
    expect(plan.blocks).toBeLessThan(150)
  })

  it("a search by a reference reads no payment, name or document of the period, even with a generic plan", async () => {
    const { parameters, statement } = searchCharges({ text: "" })
    const client = await pool.connect()
    onTestFinished(async () => {
      await client.query("DEALLOCATE searching; RESET plan_cache_mode")
      client.release()
    })
    await client.query("SET plan_cache_mode = force_generic_plan")
    await client.query(`PREPARE searching AS ${statement.first(schema).text}`)
    const values = searchValues({ ...whole, reference: "nobody" }, parameters, 50).map((value) =>
      value === null ? "NULL" : `'${value}'`,
    )
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE searching (${values.join()})`)
    expect(rows[0]["QUERY PLAN"][0].Plan["Shared Hit Blocks"]).toBeLessThan(50)
  })

  it("a search by amount, due day or day of payment reads the period's charges, never the table", async () => {
    const filters = {
      amount: { minCents: 5_050, maxCents: 5_050 },
      due: { dueFrom: "2027-01-01", dueUntil: "2027-01-31" },
      paid: { paidFrom: start + 5_000, paidUntil: start + 5_100 },
      text: { amountCents: 5_050 },
    }
    for (const [name, values] of Object.entries(filters)) {
      const { parameters, statement } = searchCharges({ [name]: name === "text" ? "" : values })
      const period = { ...whole, from: start + 5_000, until: start + 5_100 }
      const plan = await explain(statement.first(schema), searchValues({ ...period, ...values }, parameters, 50))
      expect(plan.scanned, name).toEqual([])
      expect(plan.blocks, name).toBeLessThan(100 * 10)
    }
  })

  it("a text with many matches reads only the period's charges, one row each", async () => {
    const namesakes = 8_000
    await pool.query(`
      INSERT INTO pixcharge.charges (
        issuer, id, transaction_id, amount_cents, created_at, payable_until, watch_until, state, version, updated_at
      )
      SELECT '${anotherCnpj}', md5('namesake ' || n)::uuid, md5('namesake transaction ' || n)::uuid, n, t, t, t, 'pending', 1, t
      FROM generate_series(1, ${namesakes}) n, LATERAL (SELECT to_timestamp(${start} + n) AS t) m`)
    await pool.query(`
      INSERT INTO pixcharge.charge_texts (issuer, id, br_code, created_at, payer_name, payer_tax_id, reference)
      SELECT issuer, id, 'x', created_at, 'Ana', '52998224725', 'pedido' FROM pixcharge.charges
      WHERE issuer = '${anotherCnpj}'`)
    await pool.query("ANALYZE pixcharge.charges, pixcharge.charge_texts")
    const { parameters, statement } = searchCharges({ text: "" })
    const read = async (from: number, until: number, text: object, position: ReadonlyArray<unknown> = []) => {
      const values = searchValues({ issuer: anotherCnpj, from, until, ...text }, parameters, 50)
      const sql = position.length === 0 ? statement.first : statement.next
      return (await explain(sql(schema), [...values, ...position])).blocks
    }
    const page = 50 * 12
    for (const text of [
      { payerWord: " [Aa]na", payerPattern: "% ana%" },
      { payerTaxId: "52998224725" },
      { reference: "pedido" },
    ]) {
      expect(await read(start, later, text)).toBeLessThan(5 * namesakes)
      expect(await read(start + 1_000, start + 1_100, text)).toBeLessThan(100 * 6 + page)
      const last = "ffffffff-ffff-4fff-bfff-ffffffffffff"
      expect(await read(start + 5_000, start + 5_200, text, [start + 5_100, last])).toBeLessThan(100 * 6 + page)
    }
  })

  it("a claim of charges reads only due checks", async () => {
    const checks = await explain(claimCharges(schema), claimValues)
    expect(checks.scanned).toEqual([])
    expect([...checks.indexes]).toEqual(expect.arrayContaining(["charges_to_check", "charges_ahead"]))
    expect(checks.blocks).toBeLessThan(120 * 60)
  })

  const claimValues = [later, 20, later + 100]
  it("a claim finds checks that a fast clock set without reading unpaid charges that are watched for long", async () => {
    const idle = await explain(claimCharges(schema), claimValues.with(0, 1_000))
    expect([idle.scanned, idle.indexes.has("charges_ahead")]).toEqual([[], true])
    expect(idle.blocks).toBeLessThan(30)
  })

  it.each([
    ["a claim of charges", claimCharges, claimValues],
    ["a look-up of payments' owners", findOwners, [JSON.stringify(["e1"])]],
  ])("Postgres keeps the generic plan of %s, because it is as good as a custom plan", async (_, sql, values) => {
    const client = await pool.connect()
    onTestFinished(async () => {
      await client.query("DEALLOCATE estimated; RESET plan_cache_mode")
      client.release()
    })
    await client.query(`PREPARE estimated AS ${sql(schema).text}`)
    const estimate = async (mode: string) => {
      await client.query(`SET plan_cache_mode = ${mode}`)
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE estimated ('${values.join("', '")}')`)
      return rows[0]["QUERY PLAN"][0].Plan["Total Cost"]
    }
    // Postgres adds 2.5 for each table to the cost of a plan that is made at each call.
    expect(Math.abs((await estimate("force_generic_plan")) - (await estimate("force_custom_plan")))).toBeLessThan(2.5)
  })

  it("a claim of charges wakes a company by key, and reads charges only for a new company", async () => {
    const entered = await explain(claimCharges(schema), claimValues)
    expect(entered.indexes).toContain("reconciliations_pkey")
    expect(entered.blocksOf("reconciliations")).toBeLessThan(20)
    const wake = await explain(wakeCompany(schema), [start, sweptIssuer])
    expect(wake.read).not.toContain("charges")
    expect([wake.scanned, wake.blocks < 20]).toEqual([[], true])
    const enters = await explain(wakeCompany(schema), [start, aCnpj])
    expect([enters.scanned, enters.indexes.has("charges_by_creation"), enters.blocks < 30]).toEqual([[], true, true])
  })

  it("a company's turn is claimed and saved by indexes", async () => {
    const claimAt = (at: number) => explain(claimReconciliation(schema), [at, at + 300])
    for (const at of [start + 1_800, start + 7_200]) {
      const plan = await claimAt(at)
      expect([plan.scanned, plan.indexes.has("reconciliations_due")]).toEqual([[], true])
      expect(plan.indexes).toContain("reconciliations_ahead")
      expect(plan.blocks).toBeLessThan(40)
    }
    const row = { reconciled_until: start, returns_due_at: start, run_has_failed: false }
    const token = crypto.randomUUID()
    const saved = await explain(saveReconciliation(schema), [sweptIssuer, token, JSON.stringify(row), null, start])
    expect([saved.scanned, saved.blocks < 10]).toEqual([[], true])
  })

  it("a page of a company's waiting charges, or its youngest waiting charge, is read from the start of an index", async () => {
    const { first, next } = waitingCharges
    for (const [limit, blocks] of [
      [1, 8],
      [500, 600],
    ] as const) {
      for (const plan of [
        await explain(first(schema), [sweptIssuer, null, limit]),
        await explain(next(schema), [sweptIssuer, null, limit, start + 10_000, aChargeId()]),
      ]) {
        expect([plan.scanned, plan.indexes.has("charges_waiting")]).toEqual([[], true])
        expect(plan.blocks).toBeLessThan(blocks)
      }
    }
    const some = await explain(first(schema), [sweptIssuer, JSON.stringify([charges + 1, charges + 7_000]), 500])
    expect([some.scanned, some.indexes.has("charges_waiting")]).toEqual([[], true])
    expect(some.blocks).toBeLessThan(companies / 5)
    expect((await explain(first(schema), [anotherCnpj, null, 1])).blocks).toBeLessThan(8)
  })

  it("a claim of exceptions reads only refunds with a due check, among any number of payments", async () => {
    const plan = await explain(claimExceptions(schema), [2_000_000_000, 20, 2_000_000_100])
    expect(plan.scanned).toEqual([])
    expect(plan.indexes).toContain("payments_refund_checks")
    expect(plan.blocks).toBeLessThan(20 * 60)
  })

  it("a look reads the start of the index of each kind of work, due or not, and the bounded depth of the outbox", async () => {
    for (const at of [1_000, start + 1_800, later]) {
      const plan = await explain(lookForWork(schema), [at])
      expect(plan.scanned.filter((table) => table !== "recurrences")).toEqual([])
      expect([...plan.indexes]).toEqual(
        expect.arrayContaining([
          "charges_to_check",
          "charges_checks_ended",
          "charges_ahead",
          "payments_refund_checks",
          "reconciliations_due",
          "reconciliations_ahead",
          "deliveries_due",
        ]),
      )
      expect(plan.blocksOf("charges") + plan.blocksOf("reconciliations") + plan.blocksOf("payments")).toBeLessThan(
        2_600,
      )
    }
  })

  it("a page of payments reads only the page's rows, and no rows of another company", async () => {
    const page = [1_780_000_000, 1_790_000_000, 100]
    const plan = await explain(listPayments.first(schema), [aCnpj, ...page])
    expect(plan.scanned).toEqual([])
    expect(plan.blocks).toBeLessThan(150)
    expect((await explain(listPayments.first(schema), [anotherCnpj, ...page])).blocks).toBeLessThan(10)
  })

  it("a later page begins where the previous page ended", async () => {
    const page = [aCnpj, 1_780_000_000, 1_790_000_000, 100, 1_780_030_000, "E"]
    expect((await explain(listPayments.next(schema), page)).blocks).toBeLessThan(150)
  })

  const explainCounts = (from: number, until: number) => {
    const bounds = [from, (from + until) / 2, until]
    const values = [aCnpj, from, until, JSON.stringify(bounds), "[15, 60]", later]
    return explain(countCharges(schema), values)
  }

  it("the counts of a period read only the period's rows, by indexes on the time", async () => {
    const charge = 1_780_010_000
    const plan = await explainCounts(charge, charge + 600)
    expect(plan.scanned).toEqual([])
    expect(plan.indexes).toContain("charges_by_creation")
    expect(plan.indexes).toContain("payments_by_moment")
    expect(plan.indexes).toContain("returns_by_moment")
    expect(plan.indexes).toContain("settled_deliveries_pkey")
    expect(plan.indexes).toContain("deliveries_waiting_by_moment")
    expect(plan.blocks).toBeLessThan(600)
    expect((await explainCounts(1_000, 2_000)).blocks).toBeLessThan(60)
  })

  it("the counts of all data of a company read only indexes", async () => {
    const plan = await explainCounts(1_780_000_000, later)
    expect(plan.scanned).toEqual([])
    expect(plan.blocks).toBeLessThan((charges + settled + paused) / 10)
  })

  it("the counts look up much later payments by key, even with an empty table's plan", async () => {
    const young = "young_counts"
    await migrate(pool, { schema: young })
    const client = await pool.connect()
    onTestFinished(async () => {
      await client.query("DEALLOCATE counting; RESET plan_cache_mode")
      client.release()
    })
    await client.query("SET plan_cache_mode = force_generic_plan")
    await client.query(`PREPARE counting AS ${countCharges(schemaName(young)).text}`)
    const explainPrepared = (how: string) =>
      client.query(
        `EXPLAIN (${how}) EXECUTE counting ('${aCnpj}', 1780000000, 1780000300, '[1780000000, 1780000300]', '[15]', ${later})`,
      )
    await explainPrepared("FORMAT JSON")
    await pool.query(`
      INSERT INTO ${young}.charges SELECT * FROM pixcharge.charges WHERE amount_cents <= 10000;
      UPDATE ${young}.charges SET state = 'paid', settled_by = 'E' || issuer || amount_cents;
      INSERT INTO ${young}.payments (issuer, end_to_end_id, charge_id, amount_cents, paid_at, recorded_at, late, other_amount, settles)
      SELECT issuer, settled_by, id, amount_cents, created_at + interval '1 day', created_at, false, false, true
      FROM ${young}.charges`)
    const { rows } = await explainPrepared("ANALYZE, BUFFERS, FORMAT JSON")
    const nodes = planNodes(rows[0]["QUERY PLAN"][0].Plan)
    const looked = nodes.filter((node) => node["Actual Loops"] > 200 && node["Relation Name"] !== undefined)
    expect(looked.map((node) => node["Index Name"]).toSorted()).toEqual(["charges_pkey", "payments_pkey"])
    for (const node of looked) expect(node["Actual Rows"]).toBe(1)
    expect(looked.reduce((sum, node) => sum + node["Shared Hit Blocks"], 0)).toBeLessThan(300 * 10)
  })

  it("a page of exceptions of any status reads only exceptions, among any number of payments", async () => {
    const statuses: ReadonlyArray<ExceptionStatus | undefined> = [
      undefined,
      "open",
      "refunding",
      "returned",
      "resolved",
    ]
    for (const status of statuses) {
      const { first, next } = searchExceptions(status)
      const values = [aCnpj, 0, later, 50]
      for (const plan of [
        await explain(first(schema), values),
        await explain(next(schema), [...values, 1_780_020_000, "F"]),
      ]) {
        expect(
          plan.scanned.filter((table) => table === "payments"),
          status,
        ).toEqual([])
        expect(plan.indexes, status).not.toContain("payments_by_moment")
        expect(plan.blocks, status).toBeLessThan(exceptions * 0.6)
      }
    }
    const page = await explain(searchExceptions(undefined).first(schema), [aCnpj, 0, later, 50])
    expect(page.indexes).toContain("payments_exceptions")
    expect(page.blocks).toBeLessThan(50 * 20)
  })

  it("a charge's exceptions are found by the charge and by its txid", async () => {
    const { rows } = await pool.query("SELECT issuer, id FROM pixcharge.charges WHERE amount_cents = 20000")
    const plan = await explain(chargeExceptions(schema), [rows[0].issuer, rows[0].id, "T20000", 21])
    expect(plan.scanned).toEqual([])
    expect(plan.indexes).toContain("payments_exceptions_of_charge")
    expect(plan.indexes).toContain("payments_exceptions_by_txid")
    expect(plan.blocks).toBeLessThan(60)
  })

  it("a page of audit records of a charge or an exception is found by its id", async () => {
    const { rows } = await pool.query("SELECT id FROM pixcharge.charges WHERE amount_cents = 20000")
    const filters = {
      audit_log_of_charge: { chargeId: rows[0].id },
      audit_log_of_exception: { endToEndId: "F20040" },
    }
    for (const [index, filter] of Object.entries(filters)) {
      for (const position of [[], [later, "9"]]) {
        const { statement, values } = listAuditLog(aCnpj, filter, { after: position, limit: 101 })
        const plan = await explain(statement(schema), values)
        expect(plan.scanned).toEqual([])
        expect(plan.indexes).toContain(index)
        expect(plan.blocks).toBeLessThan(20)
      }
    }
  })

  it("the returns of a page of payments are read by each payment's key", async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `E${4 * index + 4}`)
    const plan = await explain(findReturns(schema), [aCnpj, JSON.stringify(ids)])
    expect(plan.scanned).toEqual([])
    expect(plan.indexes).toContain("returns_pkey")
    expect(plan.blocks).toBeLessThan(1_000 * 6)
  })

  it("an endpoint's waiting deliveries are counted up to the bound", async () => {
    for (const endpointId of ["parada", "loja1", "nenhum"]) {
      const plan = await explain(measureQueue(schema), [aCnpj, endpointId, 100])
      expect(plan.scanned).toEqual([])
      expect(plan.indexes).toContain("deliveries_due_by_queue")
      expect(plan.blocks).toBeLessThan(60)
    }
  })

  it("all waiting deliveries are counted up to the bound", async () => {
    const plan = await explain(repeatable(measureWaiting(100))(schema), [])
    expect(plan.scanned).toEqual([])
    expect(plan.indexes).toContain("deliveries_due")
    expect(plan.blocks).toBeLessThan(60)
  })

  it("a page of deliveries of any status reads at most a page of waiting, of superseded and of settled deliveries", async () => {
    for (const status of [undefined, "waiting", "superseded", "delivered"] as const) {
      const filter = status === undefined ? {} : { status }
      for (const position of [[], [later, "evt_", "loja"]]) {
        const { statement, values } = listDeliveries(aCnpj, filter, position, 51)
        const plan = await explain(statement(schema), values)
        expect(plan.scanned, status).not.toContain("deliveries")
        expect(plan.scanned, status).not.toContain("settled_deliveries")
        expect(plan.blocks, status).toBeLessThan(3 * 60)
      }
    }
  })

  it("dead letters are found among any number of delivered events", async () => {
    const { statement, values } = listDeliveries(aCnpj, { status: "dead" }, [], 51)
    const plan = await explain(statement(schema), values)
    expect(plan.indexes).toContain("settled_deliveries_dead")
    expect(plan.blocks).toBeLessThan(60)
  })

  it("a charge's deliveries are found by the charge", async () => {
    const filter = { chargeId: aChargeId() }
    const { statement, values } = listDeliveries(aCnpj, filter, [], 51)
    const plan = await explain(statement(schema), values)
    expect(plan.scanned).not.toContain("settled_deliveries")
    expect(plan.scanned).not.toContain("deliveries")
    expect(plan.blocks).toBeLessThan(20)
  })

  it("an event's attempts are found, and replayed, by the event", async () => {
    const replay = replayDeliveries(aCnpj, { eventId: "evt_7" }, { now: later, author: {} })
    const read = await explain(listAttempts(schema), [aCnpj, "evt_7", "loja"])
    for (const plan of [read, await explain(replay.statement(schema), replay.values)]) {
      expect(plan.scanned).not.toContain("settled_deliveries")
      expect(plan.indexes).toContain("settled_deliveries_by_event")
      expect(plan.blocks).toBeLessThan(60)
    }
  })

  it("a page of open exceptions is read from their own index", async () => {
    const plan = await explain(openExceptions.first(schema), [aCnpj, 50])
    expect(plan.scanned).toEqual([])
    expect(plan.indexes).toContain("payments_open")
    expect(plan.blocks).toBeLessThan(50 * 12)
  })

  it.each([
    ["companies_by_pix_key", findCompanyByPixKey, ["chave 7"]],
    ["endpoints_by_owner", findEndpoints, ["7"]],
    ["endpoints_by_owner", removeCallback, ["7", "ana"]],
  ] as const)("registrations are found by %s, among any number of companies", async (index, statement, values) => {
    const plan = await explain(statement(schema), values)
    expect(plan.scanned).not.toContain("companies")
    expect(plan.scanned).not.toContain("endpoints")
    expect(plan.indexes).toContain(index)
  })

  it("a list or a purge of superseded deliveries reads no other deliveries", async () => {
    await fill((client) =>
      client.query(`
        INSERT INTO pixcharge.deliveries (
          issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, queued_at, next_at, superseded_at
        )
        SELECT '${aCnpj}', 'evt_superseded_' || n, 'parada', '{}', 'paid', t, md5('superseded ' || n)::uuid, 2, t, t, t
        FROM generate_series(1, 2000) n, LATERAL (SELECT to_timestamp(${recently} - n) AS t) m`),
    )
    const { statement, values } = listDeliveries(aCnpj, { status: "superseded" }, [], 51)
    const list = await explain(statement(schema), values)
    expect(list.scanned).not.toContain("deliveries")
    expect(list.indexes).toContain("deliveries_superseded_by_moment")
    expect(list.blocks).toBeLessThan(2 * 60)
    const idle = await explain(purgeDeliveries(schema), [start, 1_000])
    expect([...idle.indexes]).toEqual(expect.arrayContaining(["settled_deliveries_pkey", "deliveries_superseded"]))
    expect(idle.blocks).toBeLessThan(20)
  })
})
