import type { IncomingMessage } from "node:http"
import { readUpTo } from "@pixcharge/core/internal"

/** A request as Express or bare `node:http` has it, with what body parsers and platforms leave on it. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown }

/**
 * The body's text, or why there is none. `bodyGone`: it broke off, or it was read before and left no copy for the signature's
 * check.
 */
export type RawBody = { readonly text: string } | "tooLarge" | "bodyGone"

/** An event has a few hundred bytes. */
export const maxBodyBytes = 64 * 1024

/**
 * The body as it came, wherever it is now: kept raw by a platform (`rawBody`), by `express.raw()` or `express.text()`,
 * still unread, or parsed by `express.json()`. A parsed body is written again, which gives the signed text back: the
 * signature shows whether it did.
 */
export const rawNodeBody = async (request: NodeRequest): Promise<RawBody> => {
  const kept = toText(request.rawBody) ?? toText(request.body)
  if (kept !== undefined) return limit(kept)
  if (!request.readableDidRead && !request.readableEnded) {
    // Destroying the request would cut the reply off.
    return readText(request.iterator({ destroyOnReturn: false }))
  }
  return typeof request.body === "object" && request.body !== null ? limit(JSON.stringify(request.body)) : "bodyGone"
}

/** The same for a web `Request`; `readKept` reads the text that a framework kept of a body which was read before. */
export const rawWebBody = async (
  request: Request,
  readKept: () => Promise<string> = () => request.text(),
): Promise<RawBody> => {
  if (!request.bodyUsed) return readText(request.body)
  try {
    return limit(await readKept())
  } catch {
    return "bodyGone"
  }
}

const toText = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  return value instanceof Uint8Array ? utf8.decode(value) : undefined
}

// A byte order mark is signed like any other character.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

const limit = (text: string): RawBody => (text.length > maxBodyBytes ? "tooLarge" : { text })

const readText = async (body: AsyncIterable<Uint8Array> | null): Promise<RawBody> => {
  try {
    const { bytes, isWhole } = await readUpTo(body, maxBodyBytes)
    return isWhole ? { text: utf8.decode(bytes) } : "tooLarge"
  } catch {
    return "bodyGone"
  }
}
