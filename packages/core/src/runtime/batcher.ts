import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"

interface Call<In, Out> {
  readonly input: In
  readonly answer: (out: Out) => void
}

const maxBatch = 500
/** After a batch of this size the next is delayed a little: it will be larger, and cost hardly more. */
const busyBatch = 32
const gatherMs = 25

/**
 * Gathers calls into batches. `run` carries out a batch by one statement, and returns the answers in the calls' order.
 *
 * The first call runs at once. Calls that come while a batch runs go together in the next, so that a busy process needs one
 * statement for hundreds, and an idle one never waits. It works as long as the scope lives.
 */
export const makeBatcher = Effect.fnUntraced(function* <In, Out>(
  run: (inputs: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Out>>,
): Effect.fn.Return<(input: In, answer: (out: Out) => void) => void, never, Scope.Scope> {
  let waiting: Array<Call<In, Out>> = []
  const some = Latch.makeUnsafe()

  const runNext = Effect.gen(function* () {
    yield* some.await
    // What comes in the same turn of the event loop goes along.
    yield* Effect.yieldNow
    const batch = waiting.slice(0, maxBatch)
    waiting = waiting.slice(maxBatch)
    if (waiting.length === 0) some.closeUnsafe()
    const answers = yield* run(batch.map(({ input }) => input))
    for (const [at, answer] of answers.entries()) batch[at]?.answer(answer)
    if (batch.length >= busyBatch) yield* Effect.sleep(gatherMs)
  })
  yield* Effect.forkScoped(Effect.forever(runNext))

  return (input, answer) => {
    waiting.push({ input, answer })
    some.openUnsafe()
  }
})
