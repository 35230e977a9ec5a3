import type { Call, SendCalls } from "./Database.ts"
import { isOutOfReach } from "./retry.ts"
import { SqlFailure } from "./SqlFailure.ts"

/** How long after its arrival a call is given up whose row another session has locked. */
const maxMs = 2_000
/** A call that only shared a statement with a blocked one has at least this long for a statement of its own. */
const minOwnMs = 500
/** The first statement of a call alone hardly waits for a lock, so that calls which nobody blocks are carried out at once. */
const firstTimeoutMs = 5
/** How long a blocked call waits for its lock at most before the next one has its turn. */
const maxTurnMs = 500
/** Statements of single calls under way at once, and how many of them may wait for a lock: other calls need the pool, too. */
const maxAtOnce = 4
const maxWaiting = 2

/** A call that is carried out by itself. */
interface SingleCall<A, B> {
  readonly call: Call<A, B>
  /** When it is given up, in milliseconds of the monotonic clock; infinite until it was found to be blocked. */
  until: number
  timer: NodeJS.Timeout | undefined
  failure: SqlFailure
}

const takeFirst = <A>(items: Set<A>): A | undefined => {
  for (const item of items) {
    items.delete(item)
    return item
  }
  return undefined
}

/**
 * Carries calls out one by one, those first that nobody blocks.
 *
 * Blocked ones take turns at waiting, for there may be more of them than connections, and each is given up in time, whether its turn
 * has come or not. Each call is tried once, however slow the database is. Once the database is out of reach, all that were not
 * sent yet fail together: one after the other they would wait for minutes.
 */
export class OneByOne<A, B> {
  readonly #send: SendCalls<A, B>
  readonly #untried = new Set<SingleCall<A, B>>()
  readonly #blocked = new Set<SingleCall<A, B>>()
  #workers = 0
  #waiting = 0

  constructor(send: SendCalls<A, B>) {
    this.#send = send
  }

  /** Takes calls whose shared statement has failed so. */
  add(calls: ReadonlyArray<Call<A, B>>, failure: SqlFailure): void {
    for (const call of calls) {
      const single: SingleCall<A, B> = { call, until: Number.POSITIVE_INFINITY, timer: undefined, failure }
      this.#untried.add(single)
      if (failure.kind === "blocked") this.#limitTime(single, failure)
    }
    for (let free = maxAtOnce - this.#workers; free > 0; free--) void this.#work()
  }

  async #work(): Promise<void> {
    this.#workers++
    for (;;) {
      const next = takeFirst(this.#untried)
      const stuck = next === undefined && this.#waiting < maxWaiting ? takeFirst(this.#blocked) : undefined
      if (next !== undefined) await this.#attempt(next, firstTimeoutMs)
      else if (stuck !== undefined) await this.#waitInTurn(stuck)
      else break
    }
    this.#workers--
  }

  /** A turn is shorter the more calls there are to wait. */
  async #waitInTurn(single: SingleCall<A, B>): Promise<void> {
    this.#waiting++
    const shareMs = (maxTurnMs * maxWaiting) / (this.#blocked.size + this.#waiting)
    const turnMs = Math.max(firstTimeoutMs, Math.min(maxTurnMs, shareMs))
    await this.#attempt(single, Math.max(1, Math.min(turnMs, single.until - performance.now())))
    this.#waiting--
  }

  async #attempt(single: SingleCall<A, B>, lockTimeoutMs: number): Promise<void> {
    try {
      await this.#send([single.call], `${Math.ceil(lockTimeoutMs)}ms`)
    } catch (cause) {
      if (cause instanceof SqlFailure && cause.kind === "blocked") {
        this.#limitTime(single, cause)
        if (performance.now() < single.until) return void this.#blocked.add(single)
      }
      single.call.fail(cause)
      if (cause instanceof SqlFailure && isOutOfReach(cause)) this.#failUntried(cause)
    }
    clearTimeout(single.timer)
  }

  #limitTime(single: SingleCall<A, B>, failure: SqlFailure): void {
    single.failure = failure
    if (single.timer !== undefined) return
    const now = performance.now()
    single.until = Math.max(single.call.arrivedAt + maxMs, now + minOwnMs)
    single.timer = setTimeout(() => this.#giveUp(single), single.until - now)
  }

  /** One that is being sent is left to its statement, which ends at about the same time. An untried one may be blocked by nobody. */
  #giveUp(single: SingleCall<A, B>): void {
    if (this.#blocked.delete(single)) single.call.fail(single.failure)
  }

  #failUntried(failure: SqlFailure): void {
    for (const { call, timer } of this.#untried) {
      clearTimeout(timer)
      call.fail(failure)
    }
    this.#untried.clear()
  }
}
