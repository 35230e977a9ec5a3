import type { Call, SendCalls } from "./Database.ts"
import { isOutOfReach } from "./retry.ts"
import { SqlFailure } from "./SqlFailure.ts"

/** Milliseconds from a blocked call's arrival until it is given up. */
const maxMs = 2_000
/** The minimum milliseconds from a call's first blocked sending until it is given up. */
const minOwnMs = 500
const firstTimeoutMs = 5
/** The longest wait of a blocked call for its lock, in milliseconds. */
const maxTurnMs = 500
/** Other calls need the pool, too. */
const maxAtOnce = 4
const maxWaiting = 2

interface SingleCall<A, B> {
  readonly call: Call<A, B>
  /** Milliseconds of the monotonic clock; infinite until the call is found to be blocked. */
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
 * Runs calls one by one, unblocked calls first.
 *
 * Blocked calls take turns at waiting, because there can be more of them than connections. Each call is tried at least once, and
 * given up in time, even if its turn hasn't come. When the database is out of reach, all unsent calls fail together.
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
      const nextBlocked = next === undefined && this.#waiting < maxWaiting ? takeFirst(this.#blocked) : undefined
      if (next !== undefined) await this.#attempt(next, firstTimeoutMs)
      else if (nextBlocked !== undefined) await this.#waitInTurn(nextBlocked)
      else break
    }
    this.#workers--
  }

  /** The more calls wait, the shorter a turn gets. */
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
