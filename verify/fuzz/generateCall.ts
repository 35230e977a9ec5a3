import type { Call } from "@pixcharge/adapter-tests/conformance"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { oddSegments, oddValues } from "./oddValues.ts"
import { payerDocuments, payerWord, type Tenant, tenants } from "./tenants.ts"

/** The number of charges that most requests share. So requests also concern charges of other tenants, in all states. */
export const sharedIds = 200

export const chargeId = (n: number): string => `3f2c1b9e-8d4a-4b6f-9c2d-${n.toString(16).padStart(12, "0")}`

export const pickId = (random: SeededRandom): string =>
  chargeId(random.chance(0.95) ? random.between(0, sharedIds - 1) : random.between(sharedIds, 0xffff_ffff))

export const goodAmount = (id: string): number => 10 + Number.parseInt(id.slice(-2), 16)

const makePayer = (random: SeededRandom) => ({
  xNome: `Maria ${payerWord}`,
  documento: random.pick(payerDocuments),
})

/** A valid request for a charge. Requests with one id are usually equal, so some are repeats. */
const goodCharge = (random: SeededRandom) => {
  const idFaturaPag = pickId(random)
  const valorPagamento = random.chance(0.9) ? goodAmount(idFaturaPag) : random.between(1, 999)
  return {
    formaPagamento: {
      tpTransacao: 11,
      idFaturaPag,
      modPagamento: 18,
      valorPagamento,
      ...(random.chance(0.1) && { dataVencimento: "2027-12-25" }),
    },
    ...(random.chance(0.5) && { cliente: makePayer(random) }),
  }
}

const fields = [
  "formaPagamento",
  "cliente",
  "tpTransacao",
  "idFaturaPag",
  "modPagamento",
  "valorPagamento",
  "dataVencimento",
  "xNome",
  "documento",
  "cnpj",
  "chave",
  "outra",
  "pix",
  "endToEndId",
  "txid",
  "valor",
  "horario",
  "devolucoes",
] as const

const withOddField = (random: SeededRandom, text: string): string => {
  const field = random.pick(fields)
  const value = random.pick(oddValues)
  const place = new RegExp(`"${field}":("[^"]*"|[\\d.]+)`)
  return place.test(text)
    ? text.replace(place, () => `"${field}":${value}`)
    : text.replace(/\}$/, () => `,"${field}":${value}}`)
}

const damage = (random: SeededRandom, text: string): string => {
  const at = random.between(0, text.length)
  return random.pick([
    text.slice(0, at),
    text.slice(at),
    text + text,
    `${text.slice(0, at)}${random.pick(["\u0000", "\\", '"', "{", "\ud800", "ÿ", " "])}${text.slice(at + 1)}`,
  ])
}

const oddBodies: readonly [(text: string) => unknown, ...ReadonlyArray<(text: string) => unknown>] = [
  () => "",
  () => " ",
  () => "null",
  () => "[]",
  () => '"texto"',
  () => Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
  () => Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
  (text) => Buffer.from(text, "utf16le"),
  (text) => `\ufeff${text}`,
  (text) => text.replace("{", `{"formaPagamento":{},`),
  (text) => text + " ".repeat(16_384),
  (text) => `{"pad":"${"x".repeat(100_000)}",${text.slice(1)}`,
  (text) => text.replaceAll('"', "'"),
]

export const bodyText = (random: SeededRandom, good: unknown): unknown => {
  const text = JSON.stringify(good)
  const fate = random.next()
  if (fate < 0.5) return text
  if (fate < 0.8) return withOddField(random, text)
  return fate < 0.9 ? damage(random, text) : random.pick(oddBodies)(text)
}

const oddAuthorizations: readonly [(token: string) => string, ...ReadonlyArray<(token: string) => string>] = [
  () => "",
  () => "Bearer",
  () => "Bearer ",
  () => "Bearer a.b.c",
  () => `Bearer ${"a".repeat(3_000)}`,
  () => "Bearer eyJhbGciOiJub25lIn0.e30.",
  (token) => `Basic ${token}`,
  (token) => `Bearer${token}`,
  (token) => `Bearer ${token}, Bearer ${token}`,
  (token) => `Bearer ${token}=`,
  (token) => `Bearer ${token}.${token}`,
  (token) => `Bearer x${token}`,
]

const placeholder = (tenant: number): string => `{token:${tenant}}`

const authorization = (random: SeededRandom): Readonly<Record<string, string>> => {
  const token = placeholder(random.between(0, tenants.length - 1))
  if (random.chance(0.85)) return { authorization: `Bearer ${token}` }
  return random.chance(0.2) ? {} : { authorization: random.pick(oddAuthorizations)(token) }
}

const oddHeaders: readonly [Record<string, string>, ...ReadonlyArray<Record<string, string>>] = [
  { "content-type": "text/plain" },
  { "content-type": "application/json; charset=utf-16" },
  { "content-type": "application/json;charset=UTF-8" },
  { "content-type": "APPLICATION/JSON" },
  { "content-type": "application/jsonp" },
  { "content-type": "" },
  { "content-type": "multipart/form-data; boundary=x" },
  { "content-encoding": "gzip" },
  { "content-encoding": "identity" },
  { "content-encoding": "br, deflate" },
  { accept: "text/html" },
  { "accept-encoding": "gzip" },
  { expect: "100-continue" },
  { expect: "200-ok" },
  { "x-http-method-override": "DELETE" },
  { "x-forwarded-for": "127.0.0.1" },
  { "x-original-url": "/api/token/x" },
  { "if-none-match": "*" },
  { range: "bytes=0-1" },
  { origin: "https://example.com" },
  { cookie: "a=b; ".repeat(100) },
  { host: "example.com" },
  { host: "" },
  { connection: "close" },
  { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
]

const makeSecret = (random: SeededRandom, { cnpj, key }: Tenant): string => {
  const text = random.chance(0.7)
    ? `${cnpj}|${key}`
    : random.pick([cnpj, `|${key}`, `${cnpj}|${key}x`, `${key}|${cnpj}`])
  const encoded = Buffer.from(text).toString(random.pick(["base64", "base64url", "hex", "latin1"]))
  return random.chance(0.5) ? encodeURIComponent(encoded) : encoded.replaceAll(/[^\w+/=-]/g, "%7C")
}

const credentials = (random: SeededRandom, { cnpj, key }: Tenant): Partial<Call> =>
  random.chance(0.7)
    ? { body: bodyText(random, { cnpj, chave: random.chance(0.8) ? key : "outra-chave-qualquer" }) }
    : { headers: { authorization: `Basic ${Buffer.from(`${cnpj}:${key}`).toString("base64")}` } }

const goodCall = (random: SeededRandom): Call => {
  const tenant = random.pick(tenants)
  const headers = authorization(random)
  const id = pickId(random)
  const fate = random.next()
  if (fate < 0.35) return { method: "POST", path: "/api/pix", headers, body: bodyText(random, goodCharge(random)) }
  if (fate < 0.55) return { method: "GET", path: `/api/pix/${id}`, headers }
  if (fate < 0.61) return { method: "DELETE", path: `/api/pix/${id}`, headers }
  if (fate < 0.8) return { method: "POST", path: `/api/pix/simular-pagamento/${id}`, headers }
  if (fate < 0.92) return { method: "GET", path: `/api/token/${makeSecret(random, tenant)}` }
  return { method: "POST", path: "/api/token", ...credentials(random, tenant) }
}

const methods = ["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND"] as const

const oddPath = (random: SeededRandom, path: string): string => {
  const odd = random.pick(oddSegments)
  const at = random.between(1, path.length)
  return random.pick([
    path.replace(/[^/]*$/, odd),
    path + odd,
    path.slice(0, at) + odd + path.slice(at),
    `/${odd}${path}`,
  ])
}

/** Generates a request. One in three contains something that the contract doesn't expect. */
export const generateCall = (random: SeededRandom): Call => {
  const good = goodCall(random)
  const fate = random.next()
  if (fate < 0.7) return good
  if (fate < 0.78) return { ...good, method: random.pick(methods) }
  if (fate < 0.88) return { ...good, path: oddPath(random, good.path) }
  if (fate < 0.9) return { ...good, chunked: true }
  return { ...good, headers: { ...good.headers, ...random.pick(oddHeaders) } }
}
