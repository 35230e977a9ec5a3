import type { RefusedBody } from "@pixcharge/core/internal"

/** Why the app answers with its page of failures: by its HTTP status. */
export type FailureStatus = 400 | 405 | 413 | 415 | 500

const statuses = new WeakMap<object, FailureStatus>()

/** What the base throws to end a handler; the app answers with its page for the status, and no handler needs to know. */
export const pageRefusal = (status: FailureStatus): Error => {
  const error = new Error(`the request is refused with ${status}`)
  statuses.set(error, status)
  return error
}

/** The status with which a handler was ended by the base; undefined for what anybody else threw. */
export const refusalStatus = (error: unknown): FailureStatus | undefined =>
  error instanceof Error ? statuses.get(error) : undefined

const bodyStatuses = { TooLarge: 413, Unreadable: 400, Unsupported: 415 } as const

export const bodyRefusal = ({ _tag }: RefusedBody): Error => pageRefusal(bodyStatuses[_tag])
