import { retryDelayMs } from "./delays.ts"
import { type Answer, answerError, isTransient } from "./Answer.ts"
import { PixClientError } from "./PixClientError.ts"
import { sleep } from "./sleep.ts"
import { codeHeader } from "./bodies.ts"

export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly token?: string
}

export interface SenderOptions {
  /** The service's mount without `/api`: `https://shop.example.com/payments`; in a browser also `/payments`. */
  readonly baseUrl: string
  /** Sends the requests; by default the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** The time limit of one attempt, in milliseconds; 30 000 by default. */
  readonly timeoutMs?: number
  /** The maximum number of retries of a call; 3 by default. */
  readonly retries?: number
}

/** A longer `Retry-After` ends the call, and is in its error. */
const maxWaitMs = 30_000

const parseRetryAfter = (header: string | null): number | undefined => {
  // Stryker disable next-line ConditionalExpression: a missing header is no date either
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Retries after transient failures, rejects after the last, and resolves otherwise. */
export const makeSender = ({ baseUrl, fetch = globalThis.fetch, timeoutMs = 30_000, retries = 3 }: SenderOptions) => {
  const base = baseUrl.replace(/(^|[^/])\/+$/, "$1")

  const sendOnce = async ({ method, path, body, token }: Call, signal: AbortSignal): Promise<Answer> => {
    const response = await fetch(base + path, {
      method,
      signal,
      // The target of a redirect must not get a token or key.
      redirect: "error",
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return {
      status: response.status,
      json: parseJson(await response.text()),
      code: response.headers.get(codeHeader) ?? undefined,
      retryAfterMs: parseRetryAfter(response.headers.get("retry-after")),
    }
  }

  const attempt = async (call: Call, signal?: AbortSignal): Promise<Answer | PixClientError> => {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await sendOnce(call, signal === undefined ? timeout : AbortSignal.any([signal, timeout]))
      return isTransient(answer) ? answerError(answer) : answer
    } catch (cause) {
      signal?.throwIfAborted()
      const message = timeout.aborted ? `The service did not answer within ${timeoutMs} ms.` : "No answer came."
      return new PixClientError({ message, isTransient: true, cause })
    }
  }

  return async (call: Call, signal?: AbortSignal): Promise<Answer> => {
    signal?.throwIfAborted()
    for (let repeated = 0; ; repeated++) {
      const answer = await attempt(call, signal)
      if (!(answer instanceof PixClientError)) return answer
      const waitMs = Math.max(retryDelayMs(repeated, Math.random()), answer.retryAfterMs ?? 0)
      if (repeated >= retries || waitMs > maxWaitMs) throw answer
      await sleep(waitMs, signal)
    }
  }
}
