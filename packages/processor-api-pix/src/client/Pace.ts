import { monotonicMs } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { failNotSent, type PspUnanswered } from "../connection/Transport.ts"
import type { BankPace, PacedCall, PaceLimit } from "../profiles/PspProfile.ts"

/** Most urgent first. `stray`: notices that name no unpaid charge of ours. `many`: charges of `issueMany`. */
const urgencies = ["issue", "refund", "notice", "check", "stray", "many"] as const
export type Urgency = (typeof urgencies)[number]

interface Waiter {
  readonly urgency: Urgency
  readonly windows: ReadonlyArray<CallWindow>
  readonly latch: Latch.Latch
  sent?: SentCall
}

export interface Turn {
  readonly urgency: Urgency
  readonly call: PacedCall
  readonly maxWaitMs: number
}

export interface TakenTurn {
  readonly cancel: Effect.Effect<void>
  /** Ends the call. It counts for another minute, because a slow bank can have received it only now. */
  readonly end: Effect.Effect<void>
}

const unlimited: TakenTurn = { cancel: Effect.void, end: Effect.void }

const findRoomAt = ({ urgency, windows }: Waiter, ahead: ReadonlyArray<Waiter>, now: number): number =>
  windows.reduce((latest, window) => {
    const counted = ahead.filter((other) => other.windows.includes(window)).map((other) => other.urgency)
    return Math.max(latest, window.findRoomAt(urgency, counted, now))
  }, now)

export class Pace {
  readonly #limits: ReadonlyArray<PaceLimit>
  readonly #windows = new Map<string, CallWindow>()
  /** Most urgent first, then in order of arrival. */
  #waiters: ReadonlyArray<Waiter> = []

  constructor({ limits }: BankPace) {
    this.#limits = limits
  }

  /** Fails immediately with `PspUnanswered` if the wait would be too long. */
  take({ urgency, call, maxWaitMs }: Turn): Effect.Effect<TakenTurn, PspUnanswered> {
    return Effect.flatMap(monotonicMs, (now): Effect.Effect<TakenTurn, PspUnanswered> => {
      const windows = this.#findWindows(call)
      if (windows.length === 0) return Effect.succeed(unlimited)
      const waiter: Waiter = { urgency, windows, latch: Latch.makeUnsafe(false) }
      this.#enter(waiter)
      return this.#wait(waiter, now + maxWaitMs).pipe(
        Effect.ensuring(Effect.sync(() => this.#leave(waiter))),
        Effect.as({
          cancel: Effect.sync(() => this.#cancel(waiter)),
          end: Effect.map(monotonicMs, (endedAt) => this.#end(waiter, endedAt)),
        }),
      )
    })
  }

  #findWindows(call: PacedCall): ReadonlyArray<CallWindow> {
    return this.#limits.flatMap(({ perMinute, calls, counted }, index) => {
      if (calls !== undefined && !calls.includes(call)) return []
      const key = counted === "each" ? `${index} ${call}` : `${index}`
      const window = this.#windows.get(key) ?? new CallWindow(perMinute)
      this.#windows.set(key, window)
      return [window]
    })
  }

  #enter(waiter: Waiter): void {
    const rank = urgencies.indexOf(waiter.urgency)
    const index = this.#waiters.findIndex((other) => urgencies.indexOf(other.urgency) > rank)
    this.#waiters = this.#waiters.toSpliced(index < 0 ? this.#waiters.length : index, 0, waiter)
  }

  #leave(waiter: Waiter): void {
    this.#waiters = this.#waiters.filter((other) => other !== waiter)
  }

  #grant(now: number): void {
    for (const window of this.#windows.values()) window.forget(now)
    const granted = this.#waiters.filter((waiter) => {
      if (findRoomAt(waiter, [], now) > now) return false
      this.#send(waiter, now)
      return true
    })
    this.#waiters = this.#waiters.filter(({ sent }) => sent === undefined)
    // The latches open last, because a released call continues immediately and can call this method again.
    for (const { latch } of granted) latch.openUnsafe()
  }

  #send(waiter: Waiter, at: number): void {
    waiter.sent = { at, urgency: waiter.urgency }
    for (const window of waiter.windows) window.add(waiter.sent)
  }

  #cancel({ windows, sent }: Waiter): void {
    for (const window of windows) window.remove(sent)
  }

  #end(waiter: Waiter, now: number): void {
    this.#cancel(waiter)
    this.#send(waiter, now)
  }

  readonly #wait = Effect.fnUntraced({ self: this }, function* (this: Pace, waiter: Waiter, endsAt: number) {
    for (;;) {
      const now = yield* monotonicMs
      this.#grant(now)
      if (waiter.sent !== undefined) return
      const sentAt = findRoomAt(waiter, this.#waiters.slice(0, this.#waiters.indexOf(waiter)), now)
      if (sentAt > endsAt) return yield* failNotSent("paced", sentAt - now)
      // The calls ahead can give up, so look again as soon as the window has room for any call.
      yield* Effect.timeoutOption(waiter.latch.await, Math.max(findRoomAt(waiter, [], now) - now, 1))
    }
  })
}

/** Of a limit per minute. Stray notices and checks share the part of checks. */
const shares: Readonly<Record<Urgency, number>> = {
  issue: 7 / 8,
  refund: 1,
  notice: 1 / 4,
  check: 1 / 2,
  stray: 1 / 8,
  many: 3 / 4,
}
const nonIssuingShare = 7 / 8

/** A second longer than the bank's minute, because the bank counts a call when it arrives, not when we send it. */
const windowMs = 61_000

export interface SentCall {
  /** Monotonic milliseconds: when the call was sent, or ended once it has. */
  readonly at: number
  readonly urgency: Urgency
}

const isOfChecks = (urgency: Urgency): boolean => urgency === "check" || urgency === "stray"

const isNotIssuing = (urgency: Urgency): boolean => urgency !== "issue"

class CallWindow {
  readonly #max: number
  /** Oldest first. */
  #sent: ReadonlyArray<SentCall> = []

  constructor(max: number) {
    this.#max = max
  }

  add(call: SentCall): void {
    this.#sent = [...this.#sent, call]
  }

  remove(call: SentCall | undefined): void {
    this.#sent = this.#sent.filter((sent) => sent !== call)
  }

  forget(now: number): void {
    this.#sent = this.#sent.filter(({ at }) => at > now - windowMs)
  }

  findRoomAt(urgency: Urgency, ahead: ReadonlyArray<Urgency>, now: number): number {
    const roomAt = Math.max(
      this.#findRoom(() => true, 1, ahead, now),
      this.#findRoom((other) => other === urgency, shares[urgency], ahead, now),
      isOfChecks(urgency) ? this.#findRoom(isOfChecks, shares.check, ahead, now) : now,
    )
    return urgency === "issue" ? roomAt : Math.max(roomAt, this.#findRoom(isNotIssuing, nonIssuingShare, ahead, now))
  }

  #findRoom(counts: (urgency: Urgency) => boolean, share: number, ahead: ReadonlyArray<Urgency>, now: number): number {
    const max = Math.max(1, Math.floor(this.#max * share))
    const sent = this.#sent.filter(({ urgency }) => counts(urgency))
    const index = sent.length + ahead.filter(counts).length - max
    return index < 0 ? now : (sent[index]?.at ?? now) + windowMs
  }
}
