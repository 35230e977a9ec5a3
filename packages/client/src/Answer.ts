import { PixClientError } from "./PixClientError.ts"
import { errorText, isSuccessBody, refusedByProcessor } from "./bodies.ts"

export interface Answer {
  readonly status: number
  /** The parsed body; undefined if the body isn't JSON. */
  readonly json: unknown
  readonly code: string | undefined
  readonly retryAfterMs: number | undefined
}

export const isTransient = ({ status, code }: Answer): boolean =>
  status === 429 || (status >= 502 && status <= 504 && code !== refusedByProcessor)

/** Its message is the service's sentence if there is one. */
export const answerError = (answer: Answer): PixClientError => {
  const { status, code, retryAfterMs, json } = answer
  const message = errorText(json) ?? `HTTP status ${status}, not an answer of the service.`
  return new PixClientError({ message, status, code, retryAfterMs, isTransient: isTransient(answer) })
}

/** The body of a success; throws the error of any other answer. */
export const readBody = <A>(answer: Answer): A => {
  const isSuccess = answer.status >= 200 && answer.status < 300
  if (!isSuccess || !isSuccessBody(answer.json)) throw answerError(answer)
  return answer.json as A
}
