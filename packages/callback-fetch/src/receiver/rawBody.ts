import type { IncomingMessage } from "node:http"
import { readUpTo } from "../readUpTo.ts"

/** A request as Express or bare `node:http` has it, with what body parsers and platforms leave on it. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown }

/** The body's text, or why it can't be had. */
export type RawBody =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "TooLarge" }
  /** Somebody read it before and kept nothing that the signature could be checked against. */
  | { readonly _tag: "Gone" }

/** An event has a few hundred bytes. */
export const largestBody = 64 * 1024

/**
 * The body as it came, wherever it is now: kept raw by a platform (`rawBody`), by `express.raw()` or `express.text()`,
 * still unread, or parsed by `express.json()`. A parsed body is written again, which gives the signed text back: the
 * signature decides whether it did.
 */
export const rawBodyOf = async (request: NodeRequest): Promise<RawBody> => {
  const kept = textOf(request.rawBody) ?? textOf(request.body)
  if (kept !== undefined) return limited(kept)
  if (!request.readableDidRead && !request.readableEnded) return read(request)
  return typeof request.body === "object" && request.body !== null
    ? limited(JSON.stringify(request.body))
    : { _tag: "Gone" }
}

/** The same for a web `Request`; `kept` is the text that a framework kept of a body which was read before. */
export const rawBodyOfWeb = async (
  request: Request,
  kept: () => Promise<string> = () => request.text(),
): Promise<RawBody> => {
  if (Number(request.headers.get("content-length")) > largestBody) return { _tag: "TooLarge" }
  try {
    if (request.bodyUsed) return limited(await kept())
    const { bytes, isWhole } = await readUpTo(largestBody, request.body)
    return isWhole ? { _tag: "Text", text: bytes.toString("utf8") } : { _tag: "TooLarge" }
  } catch {
    return { _tag: "Gone" }
  }
}

const textOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  return value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : undefined
}

const limited = (text: string): RawBody => (text.length > largestBody ? { _tag: "TooLarge" } : { _tag: "Text", text })

const read = (request: NodeRequest): Promise<RawBody> =>
  new Promise((resolve) => {
    const chunks: Array<Buffer> = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= largestBody) chunks.push(chunk)
      else resolve({ _tag: "TooLarge" })
    })
    request.once("end", () => resolve({ _tag: "Text", text: Buffer.concat(chunks).toString("utf8") }))
    request.once("error", () => resolve({ _tag: "Gone" }))
    request.once("close", () => resolve({ _tag: "Gone" }))
  })
