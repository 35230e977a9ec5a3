import type { Exchange, ExchangeBody } from "@pixcharge/core"
import type { Responder } from "./Responder.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Text of a body's bytes; what is no UTF-8 is refused, never mended. */
export const textBody = (bytes: Uint8Array): ExchangeBody => {
  try {
    return { _tag: "Text", text: utf8.decode(bytes) }
  } catch {
    return { _tag: "Unreadable" }
  }
}

/** Whether a declared length or encoding already tells that the body won't be read. */
export const refusedUnread = (
  header: (name: string) => string | undefined,
  maxBytes: number,
): ExchangeBody | undefined => {
  const encoding = header("content-encoding")
  if (encoding !== undefined && encoding !== "" && encoding.toLowerCase() !== "identity") return { _tag: "Unsupported" }
  return Number(header("content-length") ?? 0) > maxBytes ? { _tag: "TooLarge" } : undefined
}

const readUpTo = async (body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const readBody = async (request: Request, maxBytes: number): Promise<ExchangeBody> => {
  if (request.body === null) return { _tag: "Text", text: "" }
  try {
    const bytes = await readUpTo(request.body, maxBytes)
    return bytes === undefined ? { _tag: "TooLarge" } : textBody(bytes)
  } catch {
    return { _tag: "Unreadable" }
  }
}

/** A web `Request` as an exchange; `path` is what the mount's prefix leaves of its URL. */
export const exchangeOf = (request: Request, path: string): Exchange => {
  const header = (name: string) => request.headers.get(name) ?? undefined
  return {
    method: request.method,
    url: path,
    header,
    body: async (maxBytes) => refusedUnread(header, maxBytes) ?? readBody(request, maxBytes),
  }
}

/** Path and query of a URL, percent-encoding untouched. */
export const pathOf = (url: string): string => {
  const authority = url.indexOf("//")
  const slash = url.indexOf("/", authority < 0 ? 0 : authority + 2)
  return slash < 0 ? "/" : url.slice(slash)
}

/** pixcharge as a web handler: what is none of its routes is a 404 in the error shape. */
export const fetchHandler =
  (pix: Responder) =>
  async (request: Request): Promise<Response> => {
    const reply = await pix.respond(exchangeOf(request, pathOf(request.url)))
    return new Response(reply.body, { status: reply.status, headers: reply.headers })
  }
