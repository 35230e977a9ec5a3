/** One call that waits for its own answer; only the first answer or failure counts. */
export interface Call<A, B> {
  readonly value: A
  /** When it was made, in milliseconds of the monotonic clock. */
  readonly arrivedAt: number
  readonly answer: (answer: B) => void
  readonly fail: (cause: unknown) => void
}

/**
 * Carries calls out in one statement and answers each. Rejects with a `SqlFailure`, which counts for all that have no
 * answer yet. The lock time-out is as Postgres writes it: `200ms`.
 */
export type SendCalls<A, B> = (calls: ReadonlyArray<Call<A, B>>, lockTimeout: string) => Promise<void>
