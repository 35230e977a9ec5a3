import { Agent, request as httpsRequest } from "node:https"
import { createSecureContext, type SecureContextOptions } from "node:tls"
import { type HttpAnswer, readText, type Transport } from "./Transport.ts"

/** Who we are on the wire: certificate and key in PEM, or both in one PKCS #12 file. `ca` trusts a bank's own authority. */
export type TlsIdentity = Pick<SecureContextOptions, "cert" | "key" | "pfx" | "passphrase" | "ca">

const maxSockets = 32
const idleMs = 30_000

/**
 * HTTPS with our certificate (mTLS, RFC 8705), connections kept alive, TLS 1.2 or later, and the bank's certificate always
 * checked. Throws for a certificate or key that can't be read.
 */
export const mtlsTransport = (identity: TlsIdentity): Transport => {
  createSecureContext(identity)
  const agent = new Agent({
    ...identity,
    keepAlive: true,
    maxSockets,
    timeout: idleMs,
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
  })
  return {
    close: () => agent.destroy(),
    send: ({ method, url, headers, body }, signal) =>
      new Promise<HttpAnswer>((resolve, reject) => {
        const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
        const call = httpsRequest(url, { method, agent, signal, headers: { ...headers, ...length } }, (message) => {
          const { statusCode = 0, headers: got } = message
          const retryAfter = got["retry-after"]
          readText(message).then(
            (text) => resolve({ status: statusCode, text, ...(retryAfter !== undefined && { retryAfter }) }),
            reject,
          )
        })
        call.on("error", reject)
        call.end(body)
      }),
  }
}
