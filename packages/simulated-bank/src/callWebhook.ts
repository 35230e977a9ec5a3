import { request } from "node:http"
import { request as secureRequest } from "node:https"

/** What a bank shows the hosts that it calls, in PEM. */
export interface BankIdentity {
  readonly cert: string
  readonly key: string
}

const limitMs = 60_000

/** Calls a webhook, by HTTPS with the bank's certificate if it has one. Returns the status; 0 without an answer. */
export const callWebhook = (url: string, text: string, identity: BankIdentity | undefined): Promise<number> =>
  new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) }
    const options = { method: "POST", headers, agent: false as const, signal: AbortSignal.timeout(limitMs) }
    const fail = (): void => resolve(0)
    try {
      const call = url.startsWith("https:")
        ? secureRequest(url, { ...options, ...(identity && { cert: identity.cert, key: identity.key }) })
        : request(url, options)
      call.once("error", fail).once("response", (message) => {
        message.once("error", fail).once("end", () => resolve(message.statusCode ?? 0))
        message.resume()
      })
      call.end(text)
    } catch {
      fail()
    }
  })
