import { type Answer, answerError, readBody } from "./Answer.ts"
import { pollDelayMs } from "./delays.ts"
import type { Payment, WaitOptions } from "./PixClient.ts"
import { PixClientError } from "./PixClientError.ts"
import { sleep } from "./sleep.ts"
import { readPayment, type StatusBody, unpaidState } from "./bodies.ts"

const clocksDifferMs = 10_000

/** A refusal can ask for a longer wait, but a timer of over 24 days would fire immediately. */
const maxSleepMs = 3_600_000

/** The payment, or an error that says why it isn't known yet. Rejects if no further query can change the answer. */
const ask = async (query: () => Promise<Answer>): Promise<Payment | PixClientError> => {
  try {
    const answer = await query()
    return unpaidState(answer.status, answer.code) === "pending"
      ? answerError(answer)
      : readPayment(readBody<StatusBody>(answer))
  } catch (error) {
    if (error instanceof PixClientError && error.isTransient) return error
    throw error
  }
}

/** Ends once the charge is paid or can no longer be paid, or the signal aborts. */
export const waitUntilPaid = async (
  query: () => Promise<Answer>,
  { signal, payableUntil = Infinity }: WaitOptions,
): Promise<Payment> => {
  const begunAt = Date.now()
  for (;;) {
    const answer = await ask(query)
    if (!(answer instanceof PixClientError)) return answer
    const now = Date.now()
    if (now > payableUntil + clocksDifferMs) throw answer
    // The last query comes just after the charge expires, not up to half a minute later.
    const lastAt = payableUntil + (payableUntil > now ? 500 : clocksDifferMs + 1)
    const delay = Math.max(pollDelayMs(now - begunAt, Math.random()), answer.retryAfterMs ?? 0)
    await sleep(Math.min(delay, lastAt - now, maxSleepMs), signal)
  }
}
