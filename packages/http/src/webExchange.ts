import type { Exchange, ExchangeBody } from "@pixcharge/core"
import { readBody, refuseUnread, textBody } from "./exchangeBody.ts"

/**
 * A web `Request` as an exchange; `url` is what the mount's prefix leaves of its path. `readWhole` is a framework's own
 * reader, which also has the bodies that the host's middleware read before.
 */
export const webExchange = (request: Request, url: string, readWhole?: () => Promise<ArrayBuffer>): Exchange => {
  const header = (name: string) => request.headers.get(name) ?? undefined
  // Only a body of undeclared length needs counting while it arrives.
  const isBounded = () => header("content-length") !== undefined || request.bodyUsed
  return {
    method: request.method,
    url,
    header,
    body: async (maxBytes) => {
      const refused = refuseUnread(header, maxBytes)
      if (refused !== undefined) return refused
      return readWhole !== undefined && isBounded() ? wholeBody(readWhole, maxBytes) : readBody(request.body, maxBytes)
    },
    get signal() {
      return request.signal
    },
  }
}

const wholeBody = async (readWhole: () => Promise<ArrayBuffer>, maxBytes: number): Promise<ExchangeBody> => {
  try {
    const bytes = new Uint8Array(await readWhole())
    return bytes.byteLength > maxBytes ? { _tag: "TooLarge" } : textBody(bytes)
  } catch {
    return { _tag: "Unreadable" }
  }
}
