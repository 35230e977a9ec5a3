import type { RefusedBody } from "@pixcharge/core"

/** Why the app answers with its page of failures: by its HTTP status. */
export type FailureStatus = 400 | 405 | 413 | 415 | 500

/** Thrown within the base to end a handler; the app answers with its page for the status. */
export class PageRefusal extends Error {
  readonly status: FailureStatus

  constructor(status: FailureStatus) {
    super(`refused with ${status}`)
    this.status = status
  }
}

const bodyStatuses = { TooLarge: 413, Unreadable: 400, Unsupported: 415 } as const

export const bodyRefusal = ({ _tag }: RefusedBody): PageRefusal => new PageRefusal(bodyStatuses[_tag])
