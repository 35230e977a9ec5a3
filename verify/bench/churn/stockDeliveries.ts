import type pg from "pg"

/** A delivered event for each fifth charge of the stock, its body as long as a real one. */
export const stockDeliveries = async (pool: pg.Pool, charges: number): Promise<void> => {
  await pool.query(
    `INSERT INTO pixcharge.settled_deliveries (
       issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, attempts, recorded, status,
       settled_at, attempt_started_at, attempt_latency_ms, attempt_status, attempt_answer
     )
     SELECT issuer, 'evt_' || n || '_paid', 'loja', json_build_object('id', 'evt_' || n, 'body', repeat('5', 400)),
       'paid', paid_at, charge_id, 2, 1, 1, 'delivered', paid_at, paid_at, 20, 200, 'ok'
     FROM (SELECT *, row_number() OVER () AS n FROM pixcharge.payments) p
     WHERE n <= ${Math.floor(charges / 5)}`,
  )
}
