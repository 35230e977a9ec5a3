import type { Exchange, ExchangeBody, Reply } from "@pixcharge/core"
import { makeRecent, type Recent } from "../Recent.ts"
import { maskHeader, maskSecrets, maskUrl } from "./maskSecrets.ts"
import type { RecordedCall, ShownHeader } from "./RecordedCall.ts"

const mostCalls = 500
const longestBody = 8 * 1_024

/** The headers that say something of a call; an exchange can't list those that it has. */
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
  text.length > longestBody ? `${text.slice(0, longestBody)}… (${text.length} characters)` : text

const shownBody = (body: ExchangeBody): string => {
  if (body._tag === "Text") return cut(maskSecrets(body.text))
  return body._tag === "Parsed" ? cut(maskSecrets(JSON.stringify(body.value) ?? "")) : `(refused: ${body._tag})`
}

const requestHeaders = (exchange: Exchange): ReadonlyArray<ShownHeader> =>
  shownNames.flatMap((name): ReadonlyArray<ShownHeader> => {
    const value = exchange.header(name)
    return value === undefined ? [] : [[name, maskHeader(name, value)]]
  })

const answerBody = ({ body }: Reply): string => {
  if (typeof body === "string") return cut(maskSecrets(body))
  return body instanceof Uint8Array ? `(${body.byteLength} bytes)` : "(a stream)"
}

/** The exchange itself, of which somebody else learns the body once it is read. */
const overheard = (exchange: Exchange, onBody: (body: ExchangeBody) => void): Exchange => ({
  method: exchange.method,
  url: exchange.url,
  fullUrl: exchange.fullUrl,
  address: exchange.address,
  refusedBody: exchange.refusedBody,
  frameworkRequest: exchange.frameworkRequest,
  signal: exchange.signal,
  header: (name) => exchange.header(name),
  body: async (maxBytes) => {
    const body = await exchange.body(maxBytes)
    onBody(body)
    return body
  },
})

/** The calls that a responder answered, the youngest of them, and the answers. */
export interface CallLog extends Pick<Recent<RecordedCall>, "list" | "find" | "clear"> {
  /** Hands the exchange on and records what comes of it; undefined, and nothing recorded, if it is none of the responder's. */
  readonly record: (exchange: Exchange, respond: Respond) => Promise<Reply> | undefined
}

type Respond = (exchange: Exchange) => Promise<Reply> | undefined

/** An empty log. `now` is business time; `onCall` is told of each answer. */
export const makeCallLog = (now: () => number, onCall: (call: RecordedCall) => void): CallLog => {
  const calls = makeRecent<{ call: RecordedCall }>(mostCalls)
  return {
    list: () => calls.list().map(({ call }) => call),
    find: (number) => calls.find(number)?.call,
    clear: calls.clear,
    record: (exchange, respond) => {
      let requestBody: string | undefined
      const began = performance.now()
      const answering = respond(
        overheard(exchange, (body) => {
          requestBody = shownBody(body)
        }),
      )
      if (answering === undefined) return undefined
      const entry = calls.add((number) => ({
        call: {
          number,
          at: now(),
          method: exchange.method,
          url: maskUrl(exchange.url),
          requestHeaders: requestHeaders(exchange),
        },
      }))
      return answering.then((reply) => {
        entry.call = {
          ...entry.call,
          ...(requestBody !== undefined && { requestBody }),
          answer: {
            status: reply.status,
            headers: Object.entries(reply.headers).map(([name, value]) => [name, maskHeader(name, value)]),
            body: answerBody(reply),
            tookMs: performance.now() - began,
          },
        }
        onCall(entry.call)
        return reply
      })
    },
  }
}
