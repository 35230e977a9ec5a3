import express, { type Express } from "express"
import { Hono } from "hono"
import { jwtVerify, SignJWT } from "jose"
import { randomUUID } from "node:crypto"
import pg from "pg"
import { z } from "zod"

/** The service as one would write it by hand, with a framework, zod, jose, pg and one INSERT. */

export const secret = new TextEncoder().encode("a secret of at least 32 bytes, kept safe")

const Body = z.object({
  formaPagamento: z.object({
    tpTransacao: z.literal(11),
    idFaturaPag: z.uuid(),
    modPagamento: z.literal(18),
    valorPagamento: z.number().min(0.01).max(9_999_999_999.99).multipleOf(0.01),
    dataVencimento: z.string().optional(),
  }),
  cliente: z.object({ xNome: z.string().min(1).max(200), documento: z.string() }).optional(),
})
type Body = z.infer<typeof Body>

const schema = `
  CREATE TABLE IF NOT EXISTS charges (
    company text NOT NULL, id uuid NOT NULL, transaction_id uuid NOT NULL, amount_cents bigint NOT NULL,
    payer_name text, payer_tax_id text, br_code text NOT NULL, created_at timestamptz NOT NULL,
    payable_until timestamptz NOT NULL, paid_at timestamptz, fingerprint text, PRIMARY KEY (company, id))`

/** The columns that an INSERT writes, in the order of `makeRow`. */
export const columns = [
  "company",
  "id",
  "transaction_id",
  "amount_cents",
  "payer_name",
  "payer_tax_id",
  "br_code",
  "created_at",
  "payable_until",
] as const

const insert = `
  INSERT INTO charges (${columns.join(", ")})
  VALUES (${columns.map((_, index) => `$${index + 1}`).join(", ")})
  ON CONFLICT (company, id) DO UPDATE SET id = excluded.id
  RETURNING transaction_id, br_code, payable_until`

const select = "SELECT transaction_id, amount_cents, paid_at FROM charges WHERE company = $1 AND id = $2"

const lifetimeMs = 600_000

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

const field = (id: string, value: string): string => id + String(value.length).padStart(2, "0") + value

const brCode = (id: string): string => {
  const account = field("00", "br.gov.bcb.pix") + field("25", `pix.example.invalid/v2/${id.replaceAll("-", "")}`)
  const place = field("59", "EMPRESA") + field("60", "BRASILIA") + field("62", "0503***")
  const code = `000201${field("26", account)}5204000053039865802BR${place}6304`
  return code + crc16(code)
}

const makeRow = (company: string, { formaPagamento: payment, cliente }: Body, code: string) => {
  const createdAt = new Date()
  return {
    company,
    id: payment.idFaturaPag,
    transaction_id: randomUUID() as string,
    amount_cents: Math.round(payment.valorPagamento * 100),
    payer_name: cliente?.xNome,
    payer_tax_id: cliente?.documento,
    br_code: code,
    created_at: createdAt,
    payable_until: new Date(createdAt.getTime() + lifetimeMs),
  }
}

export type Row = ReturnType<typeof makeRow>
type Stored = Pick<Row, "transaction_id" | "br_code" | "payable_until">

const insertOne = async (pool: pg.Pool, row: Row): Promise<Stored> =>
  (await pool.query({ name: "insert", text: insert, values: Object.values(row) })).rows[0]

interface Answered {
  readonly status: 200 | 400 | 401 | 404 | 409 | 410
  readonly body: object
}

const fail = (status: Answered["status"], errors: string): Answered => ({ status, body: { sucesso: false, errors } })

const issued = (row: Stored): Answered => {
  const data = { retTexto: "ok", retUrl: row.br_code, transacaoId: row.transaction_id, expira: row.payable_until }
  return { status: 200, body: { sucesso: true, data } }
}

type Authenticate = (header: string | undefined) => Promise<string | undefined>

interface Parts {
  readonly pool: pg.Pool
  readonly authenticate: Authenticate
  /** Returns undefined if another request has this id. */
  readonly insert: (row: Row, body: Body) => Promise<Stored | undefined>
}

export const makeService = ({ pool, authenticate, insert: store }: Parts) => ({
  issue: async (authorization: string | undefined, json: unknown): Promise<Answered> => {
    const company = await authenticate(authorization)
    if (company === undefined) return fail(401, "token inválido")
    const body = Body.safeParse(json)
    if (!body.success) return fail(400, "dados inválidos")
    const row = makeRow(company, body.data, brCode(body.data.formaPagamento.idFaturaPag))
    const stored = await store(row, body.data)
    return stored === undefined ? fail(409, "outra cobrança com este id") : issued(stored)
  },
  status: async (authorization: string | undefined, id: string): Promise<Answered> => {
    const company = await authenticate(authorization)
    if (company === undefined) return fail(401, "token inválido")
    const { rows } = await pool.query({ name: "select", text: select, values: [company, id] })
    if (rows[0] === undefined) return fail(404, "não encontrada")
    if (rows[0].paid_at === null) return fail(410, "Pagamento pendente.")
    return { status: 200, body: { sucesso: true, data: rows[0] } }
  },
})

type Service = ReturnType<typeof makeService>
export type MakeService = (databaseUrl: string, company: string) => Promise<Service>

export const openPool = async (databaseUrl: string): Promise<pg.Pool> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  await pool.query(schema)
  return pool
}

export const verifyToken = async (header = ""): Promise<{ readonly sub?: string; readonly exp?: number }> =>
  jwtVerify(header.slice(7), secret).then(
    ({ payload }) => payload,
    () => ({}),
  )

export const makeByHand: MakeService = async (databaseUrl) => {
  const pool = await openPool(databaseUrl)
  const authenticate: Authenticate = async (header) => (await verifyToken(header)).sub
  return makeService({ pool, authenticate, insert: (row) => insertOne(pool, row) })
}

const codeLike = brCode("3f2c1b9e-8d4a-4b6f-9c2d-1e5f7a8b9c0d")

/** Routes without a check: they read the request, make one statement and answer. */
export const makeBare: MakeService = async (databaseUrl, company) => {
  const pool = await openPool(databaseUrl)
  const parts = { pool, authenticate: async () => company, insert: async () => undefined }
  const issue: Service["issue"] = async (_, json) =>
    issued(await insertOne(pool, makeRow(company, json as Body, codeLike)))
  return { ...makeService(parts), issue }
}

export const tokenByHand = (company: string): Promise<string> =>
  new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setSubject(company).setExpirationTime("1h").sign(secret)

export const expressByHand = ({ issue, status }: Service): Express => {
  const app = express()
  app.use(express.json())
  app.post("/api/pix", async (request, response) => {
    const answer = await issue(request.headers.authorization, request.body)
    response.status(answer.status).json(answer.body)
  })
  app.get("/api/pix/:id", async (request, response) => {
    const answer = await status(request.headers.authorization, request.params.id)
    response.status(answer.status).json(answer.body)
  })
  return app
}

export const honoByHand = ({ issue, status }: Service): Hono => {
  const app = new Hono()
  app.post("/api/pix", async (context) => {
    const answer = await issue(context.req.header("authorization"), await context.req.json())
    return context.json(answer.body, answer.status)
  })
  app.get("/api/pix/:id", async (context) => {
    const answer = await status(context.req.header("authorization"), context.req.param("id"))
    return context.json(answer.body, answer.status)
  })
  return app
}
