import type pg from "pg"
import { columns, makeService, type MakeService, openPool, type Row, verifyToken } from "./byHand.ts"

/** The service by hand, tuned: it caches verified tokens and batches INSERTs. */

const maxKeptTokens = 10_000

const keepTokens = () => {
  const kept = new Map<string, { readonly sub: string; readonly expiresAt: number }>()
  return async (header = ""): Promise<string | undefined> => {
    const known = kept.get(header)
    if (known !== undefined && known.expiresAt > Date.now()) return known.sub
    const { sub, exp = 0 } = await verifyToken(header)
    if (sub === undefined) return undefined
    if (kept.size >= maxKeptTokens) kept.clear()
    kept.set(header, { sub, expiresAt: exp * 1_000 })
    return sub
  }
}

interface TunedRow extends Row {
  /** The whole request. A different request under the same id is a conflict. */
  readonly fingerprint: string
}

const tunedColumns = [...columns, "fingerprint"] as const satisfies ReadonlyArray<keyof TunedRow>

const insert = `
  INSERT INTO charges (${tunedColumns.join(", ")})
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::timestamptz[], $10::text[])
  ON CONFLICT (company, id) DO NOTHING
  RETURNING transaction_id`

const stored = `
  SELECT company, id, transaction_id, br_code, payable_until, fingerprint FROM charges
  WHERE (company, id) IN (SELECT * FROM unnest($1::text[], $2::uuid[]))`

const keyOf = ({ company, id }: Pick<Row, "company" | "id">): string => `${company} ${id}`

/** Inserts rows. Returns the stored row for each: the row itself, or an earlier row with its id. */
const insertAll = async (pool: pg.Pool, rows: ReadonlyArray<TunedRow>): Promise<ReadonlyArray<TunedRow>> => {
  // Sorts the rows by key, so concurrent statements can't deadlock.
  const sorted = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const values = tunedColumns.map((column) => sorted.map((row) => row[column]))
  const { rows: inserted } = await pool.query({ name: "insert", text: insert, values })
  const made = new Set(inserted.map((row) => row.transaction_id))
  const others = rows.filter((row) => !made.has(row.transaction_id))
  if (others.length === 0) return rows
  const keys = [others.map(({ company }) => company), others.map(({ id }) => id)]
  const found = await pool.query({ name: "stored", text: stored, values: keys })
  const byKey = new Map(found.rows.map((row: TunedRow) => [keyOf(row), row]))
  return rows.map((row) => (made.has(row.transaction_id) ? row : (byKey.get(keyOf(row)) ?? row)))
}

const maxRows = 200
const maxStatements = 2

interface Waiting {
  readonly row: TunedRow
  readonly resolve: (stored: TunedRow) => void
  readonly reject: (reason: unknown) => void
}

/** Collects rows while statements are under way, and inserts them together. */
const batchInserts = (pool: pg.Pool) => {
  const waiting: Array<Waiting> = []
  let underWay = 0
  const next = async (): Promise<void> => {
    if (underWay >= maxStatements || waiting.length === 0) return
    underWay++
    const batch = waiting.splice(0, maxRows)
    const rows = batch.map(({ row }) => row)
    await insertAll(pool, rows).then(
      (all) => batch.forEach(({ row, resolve }, index) => resolve(all[index] ?? row)),
      (error) => batch.forEach(({ reject }) => reject(error)),
    )
    underWay--
    void next()
  }
  return (row: TunedRow): Promise<TunedRow> =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject })
      // Inserts the requests together that the event loop reads in one turn.
      if (waiting.length === 1) setImmediate(() => void next())
    })
}

export const makeTunedByHand: MakeService = async (databaseUrl) => {
  const pool = await openPool(databaseUrl)
  const insertOne = batchInserts(pool)
  return makeService({
    pool,
    authenticate: keepTokens(),
    insert: async (row, body) => {
      const fingerprint = JSON.stringify(body)
      const found = await insertOne({ ...row, fingerprint })
      return found.fingerprint === fingerprint ? found : undefined
    },
  })
}
