import type { Exchange, ExchangeBody, Reply } from "@pixcharge/core"
import { Recent } from "../Recent.ts"
import { maskHeader, maskSecrets, maskUrl } from "./maskSecrets.ts"
import type { RecordedCall, ShownHeader } from "./RecordedCall.ts"
import { WatchedExchange } from "./WatchedExchange.ts"

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

const maskHeaders = (headers: ReadonlyArray<ShownHeader>): ReadonlyArray<ShownHeader> =>
  headers.map(([name, value]) => [name, maskHeader(name, value)])

const answerBody = (body: Reply["body"]): string => {
  if (typeof body === "string") return cut(maskSecrets(body))
  return body instanceof Uint8Array ? `(${body.byteLength} bytes)` : "(a stream)"
}

/** A call as it came. It is masked when it is shown, so that recording it is not on the call's way. */
interface RawCall extends Pick<RecordedCall, "number" | "at" | "method" | "url"> {
  /** Those of `shownNames`, in their order. */
  readonly headerValues: ReadonlyArray<string | undefined>
  requestBody: ExchangeBody | undefined
  answer: { readonly reply: Reply; readonly tookMs: number } | undefined
}

const readHeaders = ({ headerValues }: RawCall): ReadonlyArray<ShownHeader> =>
  shownNames.flatMap((name, at): ReadonlyArray<ShownHeader> => {
    const value = headerValues[at]
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

/** The newest calls of a responder, with their answers. */
export interface CallLog extends Pick<Recent<RecordedCall>, "list" | "find" | "clear"> {
  /** Passes the exchange to the responder and records both. Undefined, with no record, for paths of others. */
  readonly record: (exchange: Exchange, respond: Respond) => Promise<Reply> | undefined
}

type Respond = (exchange: Exchange) => Promise<Reply> | undefined

/** Makes an empty log. `now` is business time; `onCall` is called with a line about each answered call. */
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
