import { largestAnswer, type Transport } from "./Transport.ts"

/** What fetch is to us. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

const readBody = async (response: Response): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > largestAnswer) throw new Error("the answer is too large")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** The host's own fetch, which brings the certificate by itself. Redirects are never followed: our token would go with them. */
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
    return {
      status: response.status,
      text: await readBody(response),
      ...(retryAfter !== null && { retryAfter }),
    }
  },
})
