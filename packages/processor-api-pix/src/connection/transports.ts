import { Agent, request as httpsRequest } from "node:https"
import { PassThrough } from "node:stream"
import { createSecureContext, type SecureContext, type SecureContextOptions, TLSSocket } from "node:tls"
import { isDeepStrictEqual } from "node:util"
import { checkEncoding, type HttpAnswer, readText, type Transport, unencoded } from "./Transport.ts"

/** Our TLS identity: certificate and key in PEM, or both in one PKCS #12 file. `ca` trusts a bank's own authority. */
export type TlsIdentity = Pick<SecureContextOptions, "cert" | "key" | "pfx" | "passphrase" | "ca">

const maxSockets = 32
const idleMs = 30_000

const makeAgent = (identity: TlsIdentity): Agent =>
  new Agent({
    ...identity,
    keepAlive: true,
    maxSockets,
    timeout: idleMs,
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
  })

const findEnd = (secureContext: SecureContext): number | undefined => {
  const socket = new TLSSocket(new PassThrough(), { secureContext })
  const certificate = socket.getX509Certificate()
  socket.destroy()
  return certificate && Date.parse(certificate.validTo)
}

export interface MtlsTransport extends Transport {
  /**
   * Reads the identity again for new connections. Throws for an unreadable identity, like a half-written file, and keeps the
   * current one.
   */
  readonly renew: () => void
  /** Epoch milliseconds; undefined without a certificate. */
  readonly endsAt: () => number | undefined
}

/**
 * HTTPS with our certificate (mTLS, RFC 8705) and TLS 1.2 or later. Always checks the bank's certificate. Throws for an
 * unreadable certificate or key.
 */
export const mtlsTransport = (askIdentity: () => TlsIdentity): MtlsTransport => {
  let identity = askIdentity()
  let endsAt = findEnd(createSecureContext(identity))
  let agent = makeAgent(identity)
  return {
    renew: () => {
      const current = askIdentity()
      if (isDeepStrictEqual(current, identity)) return
      endsAt = findEnd(createSecureContext(current))
      identity = current
      agent = makeAgent(identity)
    },
    endsAt: () => endsAt,
    close: () => agent.destroy(),
    send: ({ method, url, headers, body }, signal) =>
      new Promise<HttpAnswer>((resolve, reject) => {
        const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
        const sent = { ...unencoded, ...headers, ...length }
        const call = httpsRequest(url, { method, agent, signal, headers: sent }, (message) => {
          const { statusCode = 0, headers: answerHeaders } = message
          const retryAfter = answerHeaders["retry-after"]
          readText(message, answerHeaders["content-encoding"]).then(
            (text) =>
              resolve({
                status: statusCode,
                text,
                ...(retryAfter !== undefined && { retryAfter }),
                ...(answerHeaders.date !== undefined && { date: answerHeaders.date }),
              }),
            reject,
          )
        })
        call.on("error", reject)
        call.end(body)
      }),
  }
}

/** The host's own `fetch`, which brings the company's certificate. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A fetch undoes these itself, and the header stays (WHATWG Fetch, "handle content codings"). */
const undoneByFetch = ["identity", "gzip", "x-gzip", "deflate", "br", "zstd"]

/** Calls through the host's own fetch. Never follows redirects, because our token would go with them. */
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
