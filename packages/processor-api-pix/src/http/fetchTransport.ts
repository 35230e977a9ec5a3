import { readText, type Transport } from "./Transport.ts"

/** A `fetch` of the host's own, which brings the company's certificate by itself. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Calls by the host's own fetch. Redirects are never followed: our token would go with them. */
export const fetchTransport = (fetch: Fetch): Transport => ({
  close: () => undefined,
  send: async ({ method, url, headers, body }, signal) => {
    const response = await fetch(url, {
      method,
      headers: { ...headers },
      signal,
      redirect: "manual",
      ...(body !== undefined && { body }),
    })
    const retryAfter = response.headers.get("retry-after")
    const date = response.headers.get("date")
    return {
      status: response.status,
      text: await readText(response.body),
      ...(retryAfter !== null && { retryAfter }),
      ...(date !== null && { date }),
    }
  },
})
