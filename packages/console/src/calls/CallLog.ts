import type { Exchange, ExchangeBody, Reply } from "@pixcharge/core"
import { Recent } from "../Recent.ts"
import { maskHeader, maskSecrets, maskUrl } from "./maskSecrets.ts"
import type { RecordedCall, ShownHeader } from "./RecordedCall.ts"

const maxCalls = 500
const maxBodyLength = 8 * 1_024

/** The headers that are recorded. An exchange can't list those that it has. */
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

const requestHeaders = (exchange: Exchange): ReadonlyArray<ShownHeader> =>
  shownNames.flatMap((name): ReadonlyArray<ShownHeader> => {
    const value = exchange.header(name)
    return value === undefined ? [] : [[name, maskHeader(name, value)]]
  })

const answerBody = ({ body }: Reply): string => {
  if (typeof body === "string") return cut(maskSecrets(body))
  return body instanceof Uint8Array ? `(${body.byteLength} bytes)` : "(a stream)"
}

/** The same exchange, which passes its body to `onBody` once it is read. */
const watchBody = (exchange: Exchange, onBody: (body: ExchangeBody) => void): Exchange => ({
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

/** The newest calls of a responder, with their answers. */
export interface CallLog extends Pick<Recent<RecordedCall>, "list" | "find" | "clear"> {
  /** Passes the exchange to the responder and records both. Undefined, with no record, for paths of others. */
  readonly record: (exchange: Exchange, respond: Respond) => Promise<Reply> | undefined
}

type Respond = (exchange: Exchange) => Promise<Reply> | undefined

/** Makes an empty log. `now` is business time; `onCall` is called with each answered call. */
export const makeCallLog = (now: () => number, onCall: (call: RecordedCall) => void): CallLog => {
  const calls = new Recent<{ call: RecordedCall }>(maxCalls)
  return {
    list: () => calls.list().map(({ call }) => call),
    find: (number) => calls.find(number)?.call,
    clear: () => calls.clear(),
    record: (exchange, respond) => {
      let requestBody: string | undefined
      const began = performance.now()
      const answering = respond(
        watchBody(exchange, (body) => {
          requestBody = showBody(body)
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
