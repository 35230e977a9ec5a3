import type { IncomingMessage } from "node:http"
import { Agent, request as httpsRequest } from "node:https"
import { createSecureContext, type SecureContextOptions } from "node:tls"
import { type HttpAnswer, largestAnswer, type Transport } from "./Transport.ts"

/** Who we are on the wire: certificate and key in PEM, or both in one PKCS #12 file. `ca` trusts a bank's own authority. */
export type TlsIdentity = Pick<SecureContextOptions, "cert" | "key" | "pfx" | "passphrase" | "ca">

const mostSockets = 32
const idleMs = 30_000

const readBody = async (message: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largestAnswer) throw new Error("the answer is too large")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/**
 * HTTPS with our certificate (mTLS, RFC 8705), connections kept alive, TLS 1.2 or later, and the bank's certificate always
 * checked. Throws for a certificate or key that can't be read.
 */
export const mtlsTransport = (identity: TlsIdentity): Transport => {
  createSecureContext(identity)
  const agent = new Agent({
    ...identity,
    keepAlive: true,
    maxSockets: mostSockets,
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
          readBody(message).then(
            (text) => resolve({ status: statusCode, text, ...(retryAfter !== undefined && { retryAfter }) }),
            (error: unknown) => {
              message.destroy()
              reject(error as Error)
            },
          )
        })
        call.on("error", reject)
        call.end(body)
      }),
  }
}
