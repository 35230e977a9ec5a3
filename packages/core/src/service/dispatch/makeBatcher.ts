import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"

interface Call<In, Out> {
  readonly input: In
  readonly answer: (out: Out) => void
}

export interface BatcherOptions<In, Out> {
  /** Does all of a batch by one statement; answers each in its place. */
  readonly run: (inputs: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Out>>
  readonly largest: number
  /** After a batch that brought so much the next is waited for: it will be larger, and cost hardly more. */
  readonly isBusy: (answers: ReadonlyArray<Out>) => boolean
  readonly gatherMs: number
}

/**
 * Gathers calls into batches. The first call runs at once; those that come while a batch runs go together in the next, so
 * that a busy process needs one statement for hundreds and an idle one waits for nothing. Runs as long as the scope.
 */
export const makeBatcher = Effect.fnUntraced(function* <In, Out>({
  run,
  largest,
  isBusy,
  gatherMs,
}: BatcherOptions<In, Out>): Effect.fn.Return<(input: In) => Effect.Effect<Out>, never, Scope.Scope> {
  let waiting: Array<Call<In, Out>> = []
  const some = Latch.makeUnsafe()

  const runNext = Effect.gen(function* () {
    yield* some.await
    const batch = waiting.slice(0, largest)
    waiting = waiting.slice(largest)
    if (waiting.length === 0) some.closeUnsafe()
    const answers = yield* run(batch.map(({ input }) => input))
    for (const [at, answer] of answers.entries()) batch[at]?.answer(answer)
    if (isBusy(answers)) yield* Effect.sleep(gatherMs)
  })
  yield* Effect.forkScoped(Effect.forever(runNext))

  return (input) =>
    Effect.callback<Out>((resume) => {
      waiting.push({ input, answer: (out) => resume(Effect.succeed(out)) })
      some.openUnsafe()
    })
})
