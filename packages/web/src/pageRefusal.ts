import type { RefusedBody } from "@pixcharge/core/internal"

/** Why the app shows its failure page, as an HTTP status. */
export type FailureStatus = 400 | 404 | 405 | 413 | 415 | 500

const statuses = new WeakMap<object, FailureStatus>()

/** An error that ends a handler: the app shows its failure page for the status. */
export const pageRefusal = (status: FailureStatus): Error => {
  const error = new Error(`the request is refused with ${status}`)
  statuses.set(error, status)
  return error
}

/** The status of a `pageRefusal`; undefined for any other error. */
export const refusalStatus = (error: unknown): FailureStatus | undefined =>
  error instanceof Error ? statuses.get(error) : undefined

const bodyStatuses = { TooLarge: 413, Unreadable: 400, Unsupported: 415 } as const

export const bodyRefusal = ({ _tag }: RefusedBody): Error => pageRefusal(bodyStatuses[_tag])
