import * as Result from "effect/Result"

/** What the `safe` form of a rule returns: its value, or the error that the other form throws. */
export type Outcome<A, E> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly error: E }

/**
 * A rule on plain values. Called as it is it throws its error; its `safe` form returns it. What is no whole number where
 * one is needed, or leaves the years 0001 to 9999, is a RangeError in both.
 */
export interface Rule<Args extends ReadonlyArray<unknown>, A, E> {
  (...args: Args): A
  readonly safe: (...args: Args) => Outcome<A, E | RangeError>
}

/** Makes a rule of a function that checks its arguments. */
export const rule = <Args extends ReadonlyArray<unknown>, A, E>(
  apply: (...args: Args) => Result.Result<A, E>,
): Rule<Args, A, E> => {
  const safe = (...args: Args): Outcome<A, E | RangeError> => {
    try {
      const result = apply(...args)
      return Result.isSuccess(result) ? { ok: true, value: result.success } : { ok: false, error: result.failure }
    } catch (error) {
      if (error instanceof RangeError) return { ok: false, error }
      throw error
    }
  }
  return Object.assign((...args: Args): A => Result.getOrThrow(apply(...args)), { safe })
}
