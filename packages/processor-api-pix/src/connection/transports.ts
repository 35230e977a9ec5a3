import { Agent, request as httpsRequest } from "node:https"
import { PassThrough } from "node:stream"
import { createSecureContext, type SecureContext, type SecureContextOptions, TLSSocket } from "node:tls"
import { isDeepStrictEqual } from "node:util"
import { checkEncoding, type HttpAnswer, readText, type Transport, unencoded } from "./Transport.ts"

/** Who we are on the wire: certificate and key in PEM, or both in one PKCS #12 file. `ca` trusts a bank's own authority. */
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

/** When our certificate expires. A socket that leads nowhere shows it for each form of certificate. */
const findEnd = (secureContext: SecureContext): number | undefined => {
  const socket = new TLSSocket(new PassThrough(), { secureContext })
  const certificate = socket.getX509Certificate()
  socket.destroy()
  return certificate && Date.parse(certificate.validTo)
}

/** Calls a bank with a certificate that may be renewed. */
export interface MtlsTransport extends Transport {
  /**
   * Asks for the identity again; if it is another one, new connections bring it from now on. Throws for one that can't be
   * read, as while its files are being written: then nothing changes.
   */
  readonly renew: () => void
  /** When the certificate ends, in epoch milliseconds; undefined where there is none. */
  readonly endsAt: () => number | undefined
}

/**
 * HTTPS with our certificate (mTLS, RFC 8705), connections kept alive, TLS 1.2 or later, and the bank's certificate always
 * checked. Throws for a certificate or key that can't be read.
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
      // Calls under way end on the sockets of the agent before, which close when they have been idle.
      agent = makeAgent(identity)
    },
    endsAt: () => endsAt,
    close: () => agent.destroy(),
    send: ({ method, url, headers, body }, signal) =>
      new Promise<HttpAnswer>((resolve, reject) => {
        const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
        const sent = { ...unencoded, ...headers, ...length }
        const call = httpsRequest(url, { method, agent, signal, headers: sent }, (message) => {
          const { statusCode = 0, headers: got } = message
          const retryAfter = got["retry-after"]
          readText(message, got["content-encoding"]).then(
            (text) =>
              resolve({
                status: statusCode,
                text,
                ...(retryAfter !== undefined && { retryAfter }),
                ...(got.date !== undefined && { date: got.date }),
              }),
            reject,
          )
        })
        call.on("error", reject)
        call.end(body)
      }),
  }
}

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
