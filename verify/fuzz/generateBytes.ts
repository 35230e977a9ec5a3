import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { pickId } from "./generateCall.ts"

const crlf = "\r\n"

const head = (line: string, ...headers: ReadonlyArray<string>): string =>
  [line, "Host: 127.0.0.1", ...headers, "", ""].join(crlf)

const token = "Authorization: Bearer {token:0}"
const json = "Content-Type: application/json"

const writeStatusCall = (id: string): string => head(`GET /api/pix/${id} HTTP/1.1`, token)

const chargeText = (id: string): string =>
  JSON.stringify({ formaPagamento: { tpTransacao: 11, idFaturaPag: id, modPagamento: 18, valorPagamento: 10 } })

const issue = (body: string, ...headers: ReadonlyArray<string>): string =>
  head("POST /api/pix HTTP/1.1", token, json, ...headers) + body

const chunk = (text: string): string => `${text.length.toString(16)}${crlf}${text}${crlf}`

const noise = (random: SeededRandom): string =>
  Array.from({ length: random.between(1, 400) }, () => String.fromCharCode(random.between(0, 255))).join("")

const shapes: readonly [
  (random: SeededRandom, id: string) => string,
  ...ReadonlyArray<(random: SeededRandom, id: string) => string>,
] = [
  (random) => noise(random),
  (_, id) => writeStatusCall(id),
  // Several requests in one write
  (random, id) => writeStatusCall(id).repeat(random.between(2, 20)),
  (_, id) => issue(chargeText(id), `Content-Length: ${chargeText(id).length}`) + writeStatusCall(id),
  // Bodies in chunks, good and bad
  (_, id) => `${issue(chunk(chargeText(id)), "Transfer-Encoding: chunked")}0${crlf}${crlf}`,
  (_, id) => `${issue([...chargeText(id)].map(chunk).join(""), "Transfer-Encoding: chunked")}0${crlf}${crlf}`,
  (_, id) => `${issue(chunk(chargeText(id)), "Transfer-Encoding: chunked")}0${crlf}X-Trailer: 1${crlf}${crlf}`,
  (_, id) => issue(`zz${crlf}${chargeText(id)}`, "Transfer-Encoding: chunked"),
  (_, id) => issue(`-1${crlf}${chargeText(id)}${crlf}`, "Transfer-Encoding: chunked"),
  (_, id) => issue(`ffffffffffffffff${crlf}${chargeText(id)}`, "Transfer-Encoding: chunked"),
  (_, id) => issue(`5;${"x".repeat(20_000)}${crlf}${chargeText(id)}`, "Transfer-Encoding: chunked"),
  (_, id) => issue(chunk(chargeText(id)), "Transfer-Encoding: chunked"),
  (_, id) => issue(chunk(chargeText(id)), "Transfer-Encoding: gzip, chunked"),
  // Two lengths, or a wrong length
  (_, id) => issue(chunk(chargeText(id)), "Transfer-Encoding: chunked", `Content-Length: ${chargeText(id).length}`),
  (_, id) => issue(chargeText(id), "Content-Length: 5", "Content-Length: 6"),
  (_, id) => issue(chargeText(id), `Content-Length: ${chargeText(id).length + 100}`),
  (_, id) => issue(chargeText(id), `Content-Length: ${chargeText(id).length - 5}`) + writeStatusCall(id),
  (_, id) => issue(chargeText(id), "Content-Length: -1"),
  (_, id) => issue(chargeText(id), "Content-Length: 99999999999999999999"),
  (_, id) => issue(chargeText(id), "Content-Length: 0x10"),
  (_, id) => issue(chargeText(id)),
  (random, id) => issue(chargeText(id) + " ".repeat(random.between(16_000, 200_000)), "Content-Length: 200000"),
  // Floods of headers
  (random, id) =>
    head(`GET /api/pix/${id} HTTP/1.1`, ...Array.from({ length: random.between(100, 3_000) }, () => "A: b")),
  (random, id) => head(`GET /api/pix/${id} HTTP/1.1`, `X: ${"x".repeat(random.between(1_000, 40_000))}`),
  (random) => head(`GET /api/pix/${"x".repeat(random.between(1_000, 40_000))} HTTP/1.1`, token),
  (_, id) => head(`GET /api/pix/${id} HTTP/1.1`, ...Array.from({ length: 200 }, () => token)),
  // Invalid headers and lines
  (_, id) => head(`GET /api/pix/${id} HTTP/1.1`, "No colon"),
  (_, id) => head(`GET /api/pix/${id} HTTP/1.1`, " folded: 1", `${token}\u0000`),
  (_, id) => head(`GET /api/pix/${id} HTTP/1.1`, "X : 1", token),
  (_, id) => head(`GET /api/pix/${id} HTTP/1.1`, "X: 1\rY: 2", token),
  (_, id) => writeStatusCall(id).replaceAll(crlf, "\n"),
  (_, id) => writeStatusCall(id).replaceAll(crlf, "\r"),
  (_, id) => crlf.repeat(50) + writeStatusCall(id),
  (_, id) => head(`GET /api/pix/${id} HTTP/0.9`, token),
  (_, id) => head(`GET /api/pix/${id} HTTP/1.0`, token),
  (_, id) => head(`GET /api/pix/${id} HTTP/2.0`, token),
  (_, id) => head(`GET /api/pix/${id}`, token),
  (_, id) => head(`GET  /api/pix/${id}  HTTP/1.1`, token),
  (_, id) => head(`GET http://127.0.0.1/api/pix/${id} HTTP/1.1`, token),
  (_, id) => head(`GET //127.0.0.1/api/pix/${id} HTTP/1.1`, token),
  () => head("OPTIONS * HTTP/1.1"),
  () => head("CONNECT 127.0.0.1:443 HTTP/1.1"),
  () => head("BREW /api/pix HTTP/1.1", token),
  (_, id) => `GET /api/pix/${id} HTTP/1.1${crlf}${crlf}`,
  (_, id) => head(`GET /api/pix/${id} HTTP/1.1`, "Host: other.example", token),
  (_, id) => head(`GET /api/pix/${id}\u00ff\u00fe HTTP/1.1`, token),
  (_, id) => head(`GET /api/pix/${id} HTTP/1.1`, token, "Connection: Upgrade", "Upgrade: websocket"),
  (_, id) => head(`GET /api/pix/${id} HTTP/1.1`, token, "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"),
  (_, id) => head("POST /api/pix HTTP/1.1", token, json, "Expect: 100-continue", "Content-Length: 10") + id,
  () => `PRI * HTTP/2.0${crlf}${crlf}SM${crlf}${crlf}`,
  () => "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
]

/** Generates bytes of a request. In three of ten the end is missing. */
export const generateBytes = (random: SeededRandom): ReadonlyArray<string> => {
  const whole = random.pick(shapes)(random, pickId(random))
  const text = random.chance(0.3) ? whole.slice(0, random.between(1, whole.length)) : whole
  const cuts = Array.from({ length: random.between(0, 3) }, () => random.between(0, text.length)).toSorted(
    (a, b) => a - b,
  )
  return [...cuts, text.length].map((end, index) => text.slice(cuts[index - 1] ?? 0, end)).filter((part) => part !== "")
}
