import { type Answer, readBody } from "./Answer.ts"
import { checkOptions, checkRequest } from "./checkOptions.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import { type Call, makeSender } from "./makeSender.ts"
import { makeTokens } from "./makeTokens.ts"
import type { ChargeStatus, PixClient } from "./PixClient.ts"
import { rejectOnAbort } from "./sleep.ts"
import { waitUntilPaid } from "./waitUntilPaid.ts"
import {
  chargeBody,
  type ChargeReplyBody,
  credentialsBody,
  paths,
  readCharge,
  readPayment,
  readRefund,
  readToken,
  type RefundBody,
  type StatusBody,
  type TokenBody,
  unpaidState,
} from "./bodies.ts"

const readStatus = (answer: Answer): ChargeStatus => {
  const state = unpaidState(answer.status, answer.code)
  return state === undefined ? { state: "paid", ...readPayment(readBody<StatusBody>(answer)) } : { state }
}

/**
 * A client of one company at one service. Connects at its first call.
 *
 * @example
 * const client = createClient({ baseUrl: "https://shop.example.com/payments", cnpj, key })
 * const charge = await client.issue({ id: crypto.randomUUID(), amountCents: 1990 })
 * const payment = await client.waitUntilPaid(charge.id, charge)
 */
export const createClient = (options: ClientOptions): PixClient => {
  checkOptions(options)
  const send = makeSender(options)
  const fetchToken = async ({ cnpj, key }: { readonly cnpj: string; readonly key: string }): Promise<string> =>
    readToken(readBody<TokenBody>(await send({ method: "POST", path: paths.token, body: credentialsBody(cnpj, key) })))
  const tokens = makeTokens(options.token ?? (() => fetchToken(options)))

  const callWith = async (call: Call, signal?: AbortSignal): Promise<readonly [token: string, answer: Answer]> => {
    const token = await rejectOnAbort(tokens.get(), signal)
    return [token, await send({ ...call, token }, signal)]
  }

  /** Repeats the call once if the service refuses the token, which can be revoked early. */
  const callService = async (call: Call, signal?: AbortSignal): Promise<Answer> => {
    signal?.throwIfAborted()
    const [token, answer] = await callWith(call, signal)
    if (answer.status !== 401) return answer
    tokens.refuse(token)
    return (await callWith(call, signal))[1]
  }

  const query = (id: string, signal?: AbortSignal) => callService({ method: "GET", path: paths.charge(id) }, signal)

  return {
    issue: async (request, { signal } = {}) => {
      checkRequest(request)
      const answer = await callService({ method: "POST", path: paths.charges, body: chargeBody(request) }, signal)
      return readCharge(request.id, readBody<ChargeReplyBody>(answer))
    },
    status: async (id, { signal } = {}) => readStatus(await query(id, signal)),
    waitUntilPaid: (id, wait = {}) => waitUntilPaid(() => query(id, wait.signal), wait),
    refund: async (id, { signal } = {}) => {
      const answer = await callService({ method: "DELETE", path: paths.charge(id) }, signal)
      return readRefund(answer.status === 200, readBody<RefundBody>(answer))
    },
    simulatePayment: async (id, { signal } = {}) => {
      readBody(await callService({ method: "POST", path: paths.simulation(id) }, signal))
    },
  }
}
