import type { IncomingMessage } from "node:http"
import { readUpTo } from "@pixcharge/core/internal"

/** A request of Express or bare `node:http`, with the fields that body parsers and platforms add. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown }

/** `bodyGone`: the body broke off, or a parser read it and kept no copy to check the signature. */
export type RawBody = { readonly text: string } | "tooLarge" | "bodyGone"

export const maxBodyBytes = 64 * 1024

/**
 * The raw body kept by a platform (`rawBody`), by `express.raw()` or `express.text()`, or else the rest of the request. A
 * body parsed by `express.json()` is serialised again. The check of the signature proves that the result is the signed text.
 */
export const rawNodeBody = async (request: NodeRequest): Promise<RawBody> => {
  const keptText = toText(request.rawBody) ?? toText(request.body)
  if (keptText !== undefined) return limit(keptText)
  if (!request.readableDidRead && !request.readableEnded) {
    // Destroying the request would cut the reply off.
    return readText(request.iterator({ destroyOnReturn: false }))
  }
  return typeof request.body === "object" && request.body !== null ? limit(JSON.stringify(request.body)) : "bodyGone"
}

/** The raw body of a web request. `readKept` reads a framework's copy of a consumed body. */
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

// The signature covers a byte order mark, so it must not be removed.
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
