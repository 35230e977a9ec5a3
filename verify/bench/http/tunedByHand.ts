import { jwtVerify } from "jose"
import { randomUUID } from "node:crypto"
import pg from "pg"
import { type Answered, Body, brCode, type ByHand, fail, lifetimeMs, makeStatus, schema, secret } from "./byHand.ts"

/** The service by hand, tuned: it caches verified tokens and batches INSERTs. */

const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc
})

const crc16 = (text: string): string => {
  let crc = 0xffff
  for (let index = 0; index < text.length; index++)
    crc = ((crc << 8) ^ (crcTable[(crc >> 8) ^ text.charCodeAt(index)] ?? 0)) & 0xffff
  return crc.toString(16).toUpperCase().padStart(4, "0")
}

const maxKeptTokens = 10_000

const makeAuthenticate = () => {
  const kept = new Map<string, { readonly company: string; readonly expiresAt: number }>()
  return async (header = ""): Promise<string | undefined> => {
    const token = header.slice(7)
    const known = kept.get(token)
    if (known !== undefined && known.expiresAt > Date.now()) return known.company
    try {
      const { sub = "", exp = 0 } = (await jwtVerify(token, secret)).payload
      if (kept.size >= maxKeptTokens) kept.clear()
      kept.set(token, { company: sub, expiresAt: exp * 1_000 })
      return sub
    } catch {
      return undefined
    }
  }
}

interface Row {
  readonly company: string
  readonly id: string
  readonly transaction_id: string
  readonly amount_cents: number
  readonly payer_name: string | undefined
  readonly payer_tax_id: string | undefined
  readonly br_code: string
  readonly created_at: Date
  readonly payable_until: Date
  /** The whole request. A different request under the same id is a conflict. */
  readonly fingerprint: string
}

const insert = `
  INSERT INTO charges (company, id, transaction_id, amount_cents, payer_name, payer_tax_id, br_code, created_at, payable_until, fingerprint)
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::timestamptz[], $10::text[])
  ON CONFLICT (company, id) DO NOTHING
  RETURNING company, id, transaction_id`

const stored = `
  SELECT company, id, transaction_id, br_code, payable_until, fingerprint FROM charges
  WHERE (company, id) IN (SELECT * FROM unnest($1::text[], $2::uuid[]))`

const columns = [
  "company",
  "id",
  "transaction_id",
  "amount_cents",
  "payer_name",
  "payer_tax_id",
  "br_code",
  "created_at",
  "payable_until",
  "fingerprint",
] as const satisfies ReadonlyArray<keyof Row>

const keyOf = ({ company, id }: Pick<Row, "company" | "id">): string => `${company} ${id}`

/** Inserts rows. Returns the stored row for each: the row itself, or an earlier row with its id. */
const insertAll = async (pool: pg.Pool, rows: ReadonlyArray<Row>): Promise<ReadonlyArray<Row>> => {
  // Sorts the rows by key, so concurrent statements can't deadlock.
  const sorted = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const values = columns.map((column) => sorted.map((row) => row[column]))
  const made = new Set(
    (await pool.query({ name: "insert", text: insert, values })).rows.map((row) => row.transaction_id),
  )
  const others = rows.filter((row) => !made.has(row.transaction_id))
  if (others.length === 0) return rows
  const keys = [others.map(({ company }) => company), others.map(({ id }) => id)]
  const found = await pool.query({ name: "stored", text: stored, values: keys })
  const byKey = new Map(found.rows.map((row: Row) => [keyOf(row), row]))
  return rows.map((row) => (made.has(row.transaction_id) ? row : (byKey.get(keyOf(row)) ?? row)))
}

const maxRows = 200
const maxStatements = 2

interface Waiting {
  readonly row: Row
  readonly resolve: (stored: Row) => void
  readonly reject: (reason: unknown) => void
}

/** Collects rows while statements are under way, and inserts them together. */
const makeInserter = (pool: pg.Pool) => {
  let waiting: Array<Waiting> = []
  let underWay = 0
  const next = async (): Promise<void> => {
    if (underWay >= maxStatements || waiting.length === 0) return
    underWay++
    const batch = waiting.slice(0, maxRows)
    waiting = waiting.slice(maxRows)
    try {
      const all = await insertAll(
        pool,
        batch.map(({ row }) => row),
      )
      for (const [at, { row, resolve }] of batch.entries()) resolve(all[at] ?? row)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    underWay--
    void next()
  }
  return (row: Row): Promise<Row> =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject })
      // Inserts the requests together that the event loop reads in one turn.
      if (waiting.length === 1) setImmediate(() => void next())
    })
}

const makeRow = (company: string, { formaPagamento: payment, cliente }: Body): Row => {
  const createdAt = new Date()
  return {
    company,
    id: payment.idFaturaPag,
    transaction_id: randomUUID(),
    amount_cents: Math.round(payment.valorPagamento * 100),
    payer_name: cliente?.xNome,
    payer_tax_id: cliente?.documento,
    br_code: brCode(payment.idFaturaPag, crc16),
    created_at: createdAt,
    payable_until: new Date(createdAt.getTime() + lifetimeMs),
    fingerprint: JSON.stringify([payment, cliente]),
  }
}

export const makeTunedByHand = async (databaseUrl: string): Promise<ByHand> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  await pool.query(`${schema}; ALTER TABLE charges ADD COLUMN IF NOT EXISTS fingerprint text`)
  const authenticate = makeAuthenticate()
  const insertOne = makeInserter(pool)

  const issue = async (authorization: string | undefined, json: unknown): Promise<Answered> => {
    const company = await authenticate(authorization)
    if (company === undefined) return fail(401, "token inválido")
    const body = Body.safeParse(json)
    if (!body.success) return fail(400, "dados inválidos")
    const row = makeRow(company, body.data)
    const { br_code, transaction_id, payable_until, fingerprint } = await insertOne(row)
    if (fingerprint !== row.fingerprint) return fail(409, "outra cobrança com este id")
    const data = { retTexto: "ok", retUrl: br_code, transacaoId: transaction_id, expira: payable_until }
    return { status: 200, body: { sucesso: true, data } }
  }

  return { issue, status: makeStatus(pool, authenticate) }
}
