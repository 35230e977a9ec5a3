import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Endpoint } from "../wire/paths.ts"
import { notSent, type PspUnanswered } from "./PspUnanswered.ts"

/** A call as a limit counts it: of the API, or for a token. */
export type PacedCall = Endpoint | "token"

/** How many calls a bank takes in a minute. */
export interface PaceLimit {
  readonly perMinute: number
  /** Which calls it counts; all, where left out. */
  readonly calls?: ReadonlyArray<PacedCall>
  /** Whether those calls are counted `together`, which is the default, or `each` by itself. */
  readonly counted?: "together" | "each"
}

/** The pace at which a bank may be called. */
export interface BankPace {
  readonly limits: ReadonlyArray<PaceLimit>
  /** How long to pause after a 429 that names no time, in milliseconds. Default: 1000. */
  readonly pauseMs?: number
}

/** What a call is made for, the most urgent first. */
const urgencies = ["issue", "refund", "notice", "check"] as const
export type Urgency = (typeof urgencies)[number]

/**
 * How much of a limit calls of an urgency may use in a minute: so much is left for what is more urgent and comes later, and
 * whoever sends forged notices takes no more than this from the checks. However much is issued, what was paid is heard of.
 */
const shares: Readonly<Record<Urgency, number>> = { issue: 7 / 8, refund: 1, notice: 1 / 4, check: 1 / 2 }
/** How much of it all may use together that isn't issuing: a charge that comes later has the rest. */
const shareBesideIssuing = 7 / 8

/** A second more than the minute that a bank counts: a call arrives later than it was sent. */
const windowMs = 61_000

/** The clock that nobody sets: a bank's minute takes a minute, whatever becomes of the time of day. In whole milliseconds. */
const monotonicMs = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))

/** A call whose turn has come. */
interface Sent {
  /** When that was, or when the call ended: until then it may have reached the bank at any moment. */
  readonly at: number
  readonly urgency: Urgency
}

/** The calls of the last minute that one limit counts, oldest first. */
interface Window {
  readonly most: number
  sent: ReadonlyArray<Sent>
}

interface Waiter {
  readonly urgency: Urgency
  readonly windows: ReadonlyArray<Window>
  readonly latch: Latch.Latch
  /** Undefined as long as it waits. */
  sent?: Sent
}

/** A call that is to be sent. */
export interface Turn {
  readonly urgency: Urgency
  readonly call: PacedCall
  /** How long it may wait. Milliseconds. */
  readonly longestMs: number
}

/** A turn that was taken. */
export interface TakenTurn {
  /** The call was not sent after all. */
  readonly takeBack: Effect.Effect<void>
  /** The call has ended: it counts for a minute from now on, for a slow bank may have received it only now. */
  readonly ended: Effect.Effect<void>
}

/** Keeps the limits of a bank. */
export interface Pace {
  /**
   * Waits until a call may be sent, the more urgent before the others, and counts it as sent. Fails with `PspUnanswered`,
   * at once where that is clear, if it would wait too long.
   */
  readonly take: (turn: Turn) => Effect.Effect<TakenTurn, PspUnanswered>
}

const unlimited: TakenTurn = { takeBack: Effect.void, ended: Effect.void }

const shareOf = ({ most }: Window, share: number): number => Math.max(1, Math.floor(most * share))

const isBesideIssuing = ({ urgency }: { readonly urgency: Urgency }): boolean => urgency !== "issue"

/** When one more than `ahead` calls may follow those that were sent. */
const roomAfter = (sent: ReadonlyArray<Sent>, most: number, ahead: number, now: number): number => {
  const index = sent.length + ahead - most
  return index < 0 ? now : (sent[index]?.at ?? now) + windowMs
}

/** When the waiter's call may be sent, if those before it are. */
const roomAt = ({ urgency, windows }: Waiter, before: ReadonlyArray<Waiter>, now: number): number =>
  windows.reduce((latest, window) => {
    const ahead = before.filter((other) => other.windows.includes(window))
    const alike = ahead.filter((other) => other.urgency === urgency)
    const own = window.sent.filter((one) => one.urgency === urgency)
    const inAll = Math.max(
      latest,
      roomAfter(window.sent, window.most, ahead.length, now),
      roomAfter(own, shareOf(window, shares[urgency]), alike.length, now),
    )
    if (urgency === "issue") return inAll
    const others = window.sent.filter(isBesideIssuing)
    const most = shareOf(window, shareBesideIssuing)
    return Math.max(inAll, roomAfter(others, most, ahead.filter(isBesideIssuing).length, now))
  }, now)

/**
 * The pace of one connection, shared by all its calls: issuing goes first, then refunds, then the look-ups of notices, then
 * checks and comparisons. Each process keeps it for itself. Calls that would wait too long are not made, so no queue grows.
 */
export const makePace = ({ limits }: BankPace): Pace => {
  const windows = new Map<string, Window>()
  /** The most urgent first, and those of one urgency as they came. */
  let waiters: ReadonlyArray<Waiter> = []

  const windowsOf = (call: PacedCall): ReadonlyArray<Window> =>
    limits.flatMap(({ perMinute, calls, counted }, at) => {
      if (calls !== undefined && !calls.includes(call)) return []
      const key = counted === "each" ? `${at} ${call}` : `${at}`
      const window = windows.get(key) ?? { most: perMinute, sent: [] }
      windows.set(key, window)
      return [window]
    })

  /** What was sent more than a minute ago counts no more. */
  const forget = (now: number): void => {
    for (const window of windows.values()) window.sent = window.sent.filter(({ at }) => at > now - windowMs)
  }

  /** Lets those go for whom there is room, in their order. */
  const grant = (now: number): void => {
    forget(now)
    const granted = waiters.filter((waiter) => {
      if (roomAt(waiter, [], now) > now) return false
      const sent = { at: now, urgency: waiter.urgency }
      for (const window of waiter.windows) window.sent = [...window.sent, sent]
      waiter.sent = sent
      return true
    })
    waiters = waiters.filter(({ sent }) => sent === undefined)
    // Last, for whoever waits there goes on at once, and may come here again.
    for (const { latch } of granted) latch.openUnsafe()
  }

  const leave = (waiter: Waiter): void => {
    waiters = waiters.filter((one) => one !== waiter)
  }

  const takeBack = ({ windows: counted, sent }: Waiter): void => {
    for (const window of counted) window.sent = window.sent.filter((one) => one !== sent)
  }

  const end = (waiter: Waiter, now: number): void => {
    takeBack(waiter)
    waiter.sent = { at: now, urgency: waiter.urgency }
    for (const window of waiter.windows) window.sent = [...window.sent, waiter.sent]
  }

  const wait = Effect.fnUntraced(function* (waiter: Waiter, endsAt: number) {
    for (;;) {
      const now = yield* monotonicMs
      grant(now)
      if (waiter.sent !== undefined) return
      const goesAt = roomAt(waiter, waiters.slice(0, waiters.indexOf(waiter)), now)
      if (goesAt > endsAt) return yield* notSent("paced", goesAt - now)
      // Those before it may leave: it looks when there is room for anybody.
      yield* Effect.timeoutOption(waiter.latch.await, Math.max(roomAt(waiter, [], now) - now, 1))
    }
  })

  return {
    take: ({ urgency, call, longestMs }) =>
      Effect.gen(function* (): Effect.fn.Return<TakenTurn, PspUnanswered> {
        const counting = windowsOf(call)
        if (counting.length === 0) return unlimited
        const waiter: Waiter = { urgency, windows: counting, latch: Latch.makeUnsafe(false) }
        const at = waiters.findIndex((other) => urgencies.indexOf(other.urgency) > urgencies.indexOf(urgency))
        waiters = at < 0 ? [...waiters, waiter] : waiters.toSpliced(at, 0, waiter)
        const endsAt = (yield* monotonicMs) + longestMs
        yield* Effect.ensuring(
          wait(waiter, endsAt),
          Effect.sync(() => leave(waiter)),
        )
        return {
          takeBack: Effect.sync(() => takeBack(waiter)),
          ended: Effect.map(monotonicMs, (now) => end(waiter, now)),
        }
      }),
  }
}
