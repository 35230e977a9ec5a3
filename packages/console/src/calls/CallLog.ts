import type { Exchange, ExchangeBody, Reply } from "@pixcharge/core"
import { Buffer } from "node:buffer"
import { Recent, type RecordedCall, type ShownHeader } from "./RecordedCall.ts"

const maxCalls = 500
const maxBodyLength = 8 * 1_024

/** The names are fixed, because an exchange can't list its headers. */
const shownNames = [
  "host",
  "user-agent",
  "accept",
  "authorization",
  "content-type",
  "content-length",
  "origin",
  "traceparent",
]

const cut = (text: string): string =>
  text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}… (${text.length} characters)` : text

const showBody = (body: ExchangeBody): string => {
  if (body._tag === "Text") return cut(maskSecrets(body.text))
  return body._tag === "Parsed" ? cut(maskSecrets(JSON.stringify(body.value) ?? "")) : `(refused: ${body._tag})`
}

const maskHeaders = (headers: ReadonlyArray<ShownHeader>): ReadonlyArray<ShownHeader> =>
  headers.map(([name, value]) => [name, maskHeader(name, value)])

const answerBody = (body: Reply["body"]): string => {
  if (typeof body === "string") return cut(maskSecrets(body))
  return body instanceof Uint8Array ? `(${body.byteLength} bytes)` : "(a stream)"
}

/** A call as received. Its secrets are masked only when a page shows the call, so recording stays fast. */
interface RawCall extends Pick<RecordedCall, "number" | "at" | "method" | "url"> {
  readonly headerValues: ReadonlyArray<string | undefined>
  requestBody: ExchangeBody | undefined
  answer: { readonly reply: Reply; readonly tookMs: number } | undefined
}

const readHeaders = ({ headerValues }: RawCall): ReadonlyArray<ShownHeader> =>
  shownNames.flatMap((name, index): ReadonlyArray<ShownHeader> => {
    const value = headerValues[index]
    return value === undefined ? [] : [[name, value]]
  })

const show = (call: RawCall): RecordedCall => {
  const { number, at, method, url, requestBody, answer } = call
  return {
    number,
    at,
    method,
    url: maskUrl(url),
    requestHeaders: maskHeaders(readHeaders(call)),
    ...(requestBody !== undefined && { requestBody: showBody(requestBody) }),
    ...(answer !== undefined && {
      answer: {
        status: answer.reply.status,
        headers: maskHeaders(Object.entries(answer.reply.headers)),
        body: answerBody(answer.reply.body),
        tookMs: answer.tookMs,
      },
    }),
  }
}

export interface CallLog extends Pick<Recent<RecordedCall>, "list" | "find" | "clear"> {
  /**
   * Passes the exchange to the responder, and records the call and its answer. Returns undefined, without a record, if the
   * responder doesn't answer the path.
   */
  readonly record: (exchange: Exchange, respond: Respond) => Promise<Reply> | undefined
}

type Respond = (exchange: Exchange) => Promise<Reply> | undefined

/** `now` returns business time. `onCall` gets a line about each answered call. */
export const makeCallLog = (now: () => number, onCall: (line: () => string) => void): CallLog => {
  const calls = new Recent<RawCall>(maxCalls)
  return {
    list: () => calls.list().map(show),
    find: (number) => {
      const call = calls.find(number)
      return call && show(call)
    },
    clear: () => calls.clear(),
    record: (exchange, respond) => {
      let requestBody: ExchangeBody | undefined
      const began = performance.now()
      const answering = respond(new WatchedExchange(exchange, (body) => void (requestBody = body)))
      if (answering === undefined) return undefined
      const { method, url } = exchange
      const call = calls.add((number): RawCall => ({
        number,
        at: now(),
        method,
        url,
        headerValues: shownNames.map((name) => exchange.header(name)),
        requestBody: undefined,
        answer: undefined,
      }))
      return answering.then((reply) => {
        call.requestBody = requestBody
        call.answer = { reply, tookMs: performance.now() - began }
        onCall(() => `${method} ${maskUrl(url)}: ${reply.status}`)
        return reply
      })
    },
  }
}

/**
 * Passes the body to `onBody` when the responder reads it. Reads the other fields only on demand, because some frameworks build a
 * whole request for a single field.
 */
class WatchedExchange implements Exchange {
  readonly #watched: Exchange
  readonly #onBody: (body: ExchangeBody) => void

  constructor(watched: Exchange, onBody: (body: ExchangeBody) => void) {
    this.#watched = watched
    this.#onBody = onBody
  }

  get method(): string {
    return this.#watched.method
  }

  get url(): string {
    return this.#watched.url
  }

  get fullUrl(): string {
    return this.#watched.fullUrl
  }

  get address(): Exchange["address"] {
    return this.#watched.address
  }

  get refusedBody(): Exchange["refusedBody"] {
    return this.#watched.refusedBody
  }

  get frameworkRequest(): unknown {
    return this.#watched.frameworkRequest
  }

  get signal(): AbortSignal {
    return this.#watched.signal
  }

  header(name: string): string | undefined {
    return this.#watched.header(name)
  }

  async body(maxBytes: number): Promise<ExchangeBody> {
    const body = await this.#watched.body(maxBytes)
    this.#onBody(body)
    return body
  }
}

const hidden = "•••"

/** A JSON Web Token: three parts in Base64url. The first is a JSON object. */
const jsonWebToken = /(?<![\w-])(?=[\w-]*eyJ[\w-]{8})[\w-]+\.[\w-]+\.[\w-]+/g
/** A secret field with its value in JSON, a form or a malformed body. Quotes can be single, double, unclosed or missing. */
const secretFields =
  /((?<!\w)["']?(?:chave|secret|secrets|integratorKey)["']?\s*[:=]\s*)(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|\[[^\]]*\]?|[^\s,;&}]+)/gi

/** A word that is long enough for the secret of a payer's link: 48 characters of terms, and a signature. */
const longWord = /[\w-]{80,}/g
const cnpjStart = /^[\dA-Z]{12}$/

/** Masks the secret of a payer's link, which begins with the company's CNPJ in Base64url. */
const withoutCapability = (word: string): string =>
  cnpjStart.test(Buffer.from(word.slice(0, 16), "base64url").toString("latin1")) ? hidden : word

const maskSecrets = (text: string): string =>
  text.replace(jsonWebToken, hidden).replace(secretFields, `$1"${hidden}"`).replace(longWord, withoutCapability)

/** Decodes a path and joins repeated slashes, to mask secrets in unusual spellings, too. */
const decodeLeniently = (path: string): string => {
  try {
    return decodeURIComponent(path).replaceAll(/[/\\]+/g, "/")
  } catch {
    return path
  }
}

/** The secret of a token path is the rest of the path. The secret of a checkout path is one segment (`linkPath`). */
const tokenPath = /^.*\/api\/token\/.+/is
const linkPath = /^.*\/pagar\/(?!assets\/)[^/]+/is

const maskUrl = (url: string): string => {
  const [path = "", ...query] = url.split("?")
  const masked = decodeLeniently(path).replace(tokenPath, `/api/token/${hidden}`).replace(linkPath, `/pagar/${hidden}`)
  return maskSecrets([masked === decodeLeniently(path) ? path : masked, ...query].join("?"))
}

const maskHeader = (name: string, value: string): string => {
  if (name === "authorization") return `${value.split(" ", 1)[0]} ${hidden}`
  return name === "cookie" || name === "set-cookie" ? hidden : maskSecrets(value)
}
