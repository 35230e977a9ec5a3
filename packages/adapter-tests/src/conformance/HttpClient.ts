import { Buffer } from "node:buffer"
import { Agent, request } from "node:http"

/** One HTTP call over a real socket. Its path is sent exactly as written. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Objects are sent as JSON, text and bytes unchanged. */
  readonly body?: unknown
  /** Sends the body in chunks, without a declared length. */
  readonly chunked?: boolean
  /** Sends this number of bytes, and the rest after the server has answered a second call. */
  readonly splitAt?: number
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
  /** The body as JSON; undefined if it isn't JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a row reads bodies of every shape, and checks what it reads
  readonly json: any
}

const bodyBytes = (body: unknown): Buffer | undefined => {
  if (body === undefined) return undefined
  if (typeof body === "string") return Buffer.from(body)
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body))
}

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Makes a client that keeps its connections open until `close`. */
export const makeHttpClient = (baseUrl: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, "")

  const call = ({ method, path, headers, body, chunked, splitAt }: Call): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const bytes = bodyBytes(body)
      const outgoing = request(
        {
          agent,
          method,
          host: base.hostname,
          port: base.port,
          path: prefix + path,
          headers: {
            ...(bytes !== undefined && { "content-type": "application/json" }),
            ...(bytes !== undefined &&
              (chunked === true ? { "transfer-encoding": "chunked" } : { "content-length": String(bytes.length) })),
            ...headers,
          },
        },
        (incoming) => {
          const chunks: Array<Buffer> = []
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
          incoming.on("error", reject)
          incoming.on("end", () => {
            const text = Buffer.concat(chunks).toString("utf8")
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parseJson(text) })
          })
        },
      )
      outgoing.on("error", reject)
      if (splitAt === undefined) return void outgoing.end(bytes)
      outgoing.write(bytes?.subarray(0, splitAt), () => {
        call({ method: "GET", path: "/" }).then(() => outgoing.end(bytes?.subarray(splitAt)), reject)
      })
    })

  return { call, close: () => agent.destroy() }
}
