import { Agent, request } from "node:https"
import type { Fetch } from "@pixcharge/processor-api-pix"

export interface Dialling {
  readonly ca: string
  readonly cert?: string
  readonly key?: string
}

const readAll = async (message: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A `fetch` that sends calls to any host to one port of this machine, under the host's name. */
export const dialAt = (port: number, tls: Dialling): { readonly fetch: Fetch; readonly close: () => void } => {
  const agent = new Agent({ ...tls, keepAlive: true })
  const fetch: Fetch = (url, { method = "GET", headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const { hostname, pathname, search } = new URL(url)
      const call = request(
        {
          agent,
          host: "127.0.0.1",
          port,
          servername: hostname,
          path: `${pathname}${search}`,
          method,
          headers: { ...Object.fromEntries(new Headers(headers)), host: hostname },
          ...(signal && { signal }),
        },
        (message) => {
          const { statusCode = 0, headers: answerHeaders } = message
          const passed = ["content-type", "retry-after", "date"].flatMap((name): Array<[string, string]> => {
            const value = answerHeaders[name]
            return value === undefined ? [] : [[name, value.toString()]]
          })
          readAll(message).then((text) => {
            const isEmpty = statusCode === 204 || text.length === 0
            resolve(new Response(isEmpty ? null : text, { status: statusCode, headers: passed }))
          }, reject)
        },
      )
      call.on("error", reject)
      call.end(body)
    })
  return { fetch, close: () => agent.destroy() }
}
