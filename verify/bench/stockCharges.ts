import { aCnpj as issuer } from "@pixcharge/adapter-tests/fixtures"
import type pg from "pg"

const chunk = 500_000

/** Stores charges. Half of them are paid, most of them long ago. */
export const stockCharges = async (pool: pg.Pool, count: number): Promise<void> => {
  for (let done = 0; done < count; done += chunk) {
    const last = Math.min(done + chunk, count)
    await pool.query(
      `WITH charge AS (
         INSERT INTO pixcharge.charges (
           issuer, id, transaction_id, amount_cents, created_at, payable_until, watch_until, state, version, updated_at,
           check_at, settled_by
         )
         SELECT '${issuer}', gen_random_uuid(), gen_random_uuid(), 1990, t, t, t, CASE WHEN n % 2 = 0 THEN 'paid' ELSE 'pending' END, 1 + n % 2, t,
           CASE WHEN n > ${count} - 1000 THEN now() END, CASE WHEN n % 2 = 0 THEN 'E' || lpad(n::text, 31, '0') END
         FROM generate_series(${done + 1}, ${last}) n, LATERAL (SELECT now() - (${count} - n + 60) * interval '1 s' AS t) m
         RETURNING issuer, id, created_at
       )
       INSERT INTO pixcharge.charge_texts (issuer, id, created_at, payer_name, payer_tax_id, br_code)
       SELECT issuer, id, created_at, 'Maria da Silva', lpad((row_number() OVER () % 100000)::text, 11, '0'), repeat('5', 180)
       FROM charge`,
    )
    await pool.query(
      `INSERT INTO pixcharge.payments (
         issuer, end_to_end_id, charge_id, amount_cents, paid_at, recorded_at, late, other_amount, settles
       )
       SELECT issuer, settled_by, id, amount_cents, created_at, created_at, false, false, true
       FROM pixcharge.charges WHERE settled_by IS NOT NULL AND created_at > now() - (${count} - ${done} + 120) * interval '1 s'
       ON CONFLICT DO NOTHING`,
    )
    console.error(`  ${last} of ${count} charges stored`)
  }
}
