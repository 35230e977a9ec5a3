import type { StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"

/** One call that waits for its own answer. */
export interface Call<A, B> {
  readonly value: A
  /** When it was made, on the steady clock, in milliseconds. */
  readonly arrivedAt: number
  readonly answer: (exit: Exit.Exit<B, StoreUnavailable>) => void
}

export interface GroupCommitOptions<A, B> {
  /** The most calls that share a statement. */
  readonly most: number
  /** Carries calls out together and answers each, at the latest some time after its promise ends. */
  readonly run: (calls: ReadonlyArray<Call<A, B>>) => Promise<void>
}

/** Statements of one kind under way at once; while so many are, what arrives gathers for the next. */
const mostAtOnce = 3
/** A batch is parted among idle connections only into parts of at least so many. */
const worthParting = 16

const partsOf = <A>(items: ReadonlyArray<A>, count: number): ReadonlyArray<ReadonlyArray<A>> => {
  const size = Math.ceil(items.length / count)
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}

/**
 * Concurrent calls share statements: those of the same turn go together, at once while the database has little to do,
 * and with all that arrived meanwhile as soon as a statement ends while it is busy. A lone call waits for nobody.
 *
 * A caller that gives up leaves the batch if it was not sent yet; a sent one is carried out (decision 33).
 */
export const groupCommit = <A, B>({ most, run }: GroupCommitOptions<A, B>) => {
  class Shared extends Request.Class<{ readonly value: A; readonly arrivedAt: number }, B, StoreUnavailable> {}

  let underWay = 0
  let goOn: (() => void) | undefined

  const turn = Effect.suspend(() =>
    underWay < mostAtOnce
      ? Effect.yieldNow
      : Effect.callback<void>((resume) => {
          goOn = () => resume(Effect.void)
          return Effect.sync(() => {
            goOn = undefined
          })
        }),
  )

  const runPart = async (calls: ReadonlyArray<Call<A, B>>) => {
    underWay++
    try {
      await run(calls)
    } catch (defect) {
      for (const call of calls) call.answer(Exit.die(defect))
    } finally {
      underWay--
      const next = goOn
      goOn = undefined
      next?.()
    }
  }

  const runTogether = (calls: ReadonlyArray<Call<A, B>>): void => {
    const idle = Math.max(1, mostAtOnce - underWay)
    const parts = Math.min(idle, Math.ceil(calls.length / worthParting))
    for (const part of partsOf(calls, parts)) void runPart(part)
  }

  const resolver = RequestResolver.makeWith<Shared>({
    batchKey: () => "all",
    delay: turn,
    collectWhile: (entries) => entries.size < most,
    runAll: (entries) =>
      // Ends with the last answer, which may come after the statement's own end.
      Effect.callback<void>((resume) => {
        const open = new Set(entries)
        const calls = entries.map((entry) => ({
          value: entry.request.value,
          arrivedAt: entry.request.arrivedAt,
          answer: (exit: Exit.Exit<B, StoreUnavailable>) => {
            if (!open.delete(entry)) return
            entry.completeUnsafe(exit)
            if (open.size === 0) resume(Effect.void)
          },
        }))
        runTogether(calls)
      }),
  })

  return (value: A): Effect.Effect<B, StoreUnavailable> =>
    Effect.suspend(() => Effect.request(new Shared({ value, arrivedAt: performance.now() }), resolver))
}
