import { checkEncoding } from "./decodeBody.ts"
import { readText, type Transport, unencoded } from "./Transport.ts"

/** A `fetch` of the host's own, which brings the company's certificate by itself. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** What a fetch undoes by itself (WHATWG Fetch, "handle content codings"), though the header stays. */
const undoneByFetch = ["identity", "gzip", "x-gzip", "deflate", "br", "zstd"]

/** Calls by the host's own fetch. Redirects are never followed: our token would go with them. */
export const fetchTransport = (fetch: Fetch): Transport => ({
  close: () => undefined,
  send: async ({ method, url, headers, body }, signal) => {
    const response = await fetch(url, {
      method,
      headers: { ...unencoded, ...headers },
      signal,
      redirect: "manual",
      ...(body !== undefined && { body }),
    })
    const text = await readText(response.body)
    checkEncoding(response.headers.get("content-encoding") ?? "", undoneByFetch)
    const retryAfter = response.headers.get("retry-after")
    const date = response.headers.get("date")
    return {
      status: response.status,
      text,
      ...(retryAfter !== null && { retryAfter }),
      ...(date !== null && { date }),
    }
  },
})
