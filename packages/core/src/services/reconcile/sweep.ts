import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { clockToleranceMs } from "../../ports/portErrors.ts"
import type { ClaimedReconciliation } from "../../ports/Reconciliations.ts"
import { monotonicMs } from "../../runtime/clock.ts"
import { logAndContinue, safeSpan } from "../../runtime/telemetry.ts"
import { leaseMs, ListReader, lookUpDue, save, type SweepPorts, type Turn } from "./readList.ts"
import type { RecordPage } from "./recordPage.ts"
import { isDueBetween, nextSweepAt, sweptFrom } from "./sweepSchedule.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const enterEveryMs = hourMs

/** 90 days of returns (`refundableUntil`), plus the time until the next list. */
const returnableMs = 93 * dayMs
/** Younger payments are listed every eight hours, with their returns. */
const recentMs = 2 * dayMs
/** After this time, the sweep leaves unreadable payments to `reconcile`. */
const maxFailingMs = 8 * dayMs

const hasNothingDue = ({ youngestAt, isWoken, run, ...claimed }: ClaimedReconciliation, now: number): boolean => {
  const { since, reconciledUntil, returnsDueAt, lookedUp } = claimed
  // A company's first turn must run, and so must a turn whose times come from a wrong clock.
  const isPlanned =
    since < reconciledUntil && reconciledUntil <= now && now < returnsDueAt && returnsDueAt <= now + dayMs
  return isPlanned && youngestAt === undefined && isWoken !== true && run === undefined && lookedUp === undefined
}

/**
 * A turn lists payments since the last turn, with an overlap, and once a day the returns of older payments. If a list fails,
 * unpaid charges are looked up instead. One process at a time runs a turn, from the last saved page.
 */
export class Sweep {
  readonly #ports: SweepPorts
  readonly #lists: ListReader
  readonly #publishesExpiry: boolean
  #enteredAt = Number.NEGATIVE_INFINITY

  constructor(ports: SweepPorts, recordPage: RecordPage) {
    this.#ports = ports
    this.#publishesExpiry = ports.published.includes("expired")
    this.#lists = new ListReader(ports, recordPage)
  }

  readonly claim = Effect.gen({ self: this }, function* () {
    const { reconciliations } = this.#ports
    const now = yield* Clock.currentTimeMillis
    yield* this.#enter(now)
    return yield* reconciliations.claim({ now, leaseMs })
  }).pipe(logAndContinue("The companies to reconcile could not be read"))

  /** The next claim enters new companies first. */
  readonly entersNow = Effect.map(Clock.currentTimeMillis, (now) => Math.abs(now - this.#enteredAt) >= enterEveryMs)

  readonly #enter = Effect.fnUntraced({ self: this }, function* (now: number) {
    if (!(yield* this.entersNow)) return
    yield* this.#ports.reconciliations.enter(now, this.#publishesExpiry)
    this.#enteredAt = now
  })

  /** Stops at the time limit; a later turn continues there. */
  runTurn(claimed: ClaimedReconciliation, limitMs = Number.POSITIVE_INFINITY) {
    return this.#runTurn(claimed, limitMs).pipe(
      safeSpan("pix.reconciliation", { issuer: claimed.issuer }),
      logAndContinue(`The payments of ${claimed.issuer} could not be compared`),
    )
  }

  readonly #runTurn = Effect.fnUntraced({ self: this }, function* (claimed: ClaimedReconciliation, limitMs: number) {
    const { leaseToken, isWoken: _, youngestAt: unpaidAt, expiryEventsSince, ...rest } = claimed
    const now = yield* Clock.currentTimeMillis
    const state = this.#publishesExpiry ? { ...rest, expiryEventsSince: expiryEventsSince ?? now } : rest
    const turn: Turn = { leaseToken, state, endsAt: (yield* monotonicMs) + limitMs }
    if (hasNothingDue(claimed, now)) {
      return yield* save(this.#ports, turn, { _tag: "Release", nextAt: state.returnsDueAt })
    }
    const youngestAt = this.#ports.isListed ? unpaidAt : undefined
    const ending = yield* this.#sweepNew(turn)
    const sweptAt = yield* Clock.currentTimeMillis
    let nextAt = sweptAt
    if (ending._tag === "Read") {
      const { until, pages } = ending
      const stopsAt = nextSweepAt({ ...turn.state, returnsDueAt: Infinity }, youngestAt, until, pages)
      yield* this.#listReturns(turn, stopsAt)
      nextAt = nextSweepAt(turn.state, youngestAt, until, pages)
    } else if (ending._tag === "Refused") {
      nextAt = Math.max(
        nextSweepAt(turn.state, youngestAt, turn.state.lookedUp?.until ?? sweptAt, 0),
        sweptAt + Math.min(ending.retryAfterMs, hourMs),
      )
    }
    return yield* save(this.#ports, turn, { _tag: "Release", nextAt })
  })

  readonly #sweepNew = Effect.fnUntraced({ self: this }, function* (turn: Turn) {
    const now = yield* Clock.currentTimeMillis
    const { reconciledUntil, run = { until: now } } = turn.state
    const { until } = run
    // A wrong clock can set a time in the future: ignore it.
    const failingSince = Math.min(turn.state.failingSince ?? now, now)
    const lookedUp = (turn.state.lookedUp?.from ?? 0) <= now + clockToleranceMs ? turn.state.lookedUp : undefined
    // A list that keeps failing is retried at growing intervals.
    const isTried = lookedUp === undefined || isDueBetween(lookedUp.from, lookedUp.until, now)
    const search = { from: sweptFrom(turn.state, until), until }
    const ending = isTried
      ? yield* this.#lists.read(turn, { kind: "run", run, search })
      : ({ _tag: "Refused", retryAfterMs: 0 } as const)
    if (ending._tag === "Stopped") return ending
    const isRead = ending._tag === "Read"
    const { failingSince: _, lookedUp: __, ...state } = turn.state
    if (isRead && (!ending.hasFailed || now - failingSince >= maxFailingMs)) {
      turn.state = { ...state, reconciledUntil: until }
      return ending
    }
    const { isListed } = this.#ports
    if (isListed) yield* lookUpDue(this.#ports, state.issuer, lookedUp?.until ?? reconciledUntil, now)
    // A clock that ran ahead set this time: the payments before it weren't listed.
    const known = reconciledUntil > until + clockToleranceMs ? until - recentMs : reconciledUntil
    turn.state = {
      ...turn.state,
      reconciledUntil: known,
      lookedUp: { from: lookedUp?.from ?? now, until: now },
      ...(isRead && { failingSince }),
    }
    return ending
  })

  readonly #listReturns = Effect.fnUntraced({ self: this }, function* (turn: Turn, stopsAt: number) {
    const now = yield* Clock.currentTimeMillis
    const { since, returnsDueAt, returnsRun: run = { until: now } } = turn.state
    if (now < returnsDueAt && returnsDueAt <= now + dayMs) return
    const { until } = run
    const first = since > until ? 0 : since
    const search = { from: Math.max(first, until - returnableMs), until: until - recentMs, isReturned: true as const }
    const isEmpty = search.from >= search.until
    const ending = isEmpty
      ? ({ _tag: "Read", until, hasFailed: false, pages: 0 } as const)
      : yield* this.#lists.read(turn, { kind: "returnsRun", run, search, stopsAt })
    if (ending._tag === "Stopped") return
    const isWhole = ending._tag === "Read" && !ending.hasFailed
    turn.state = { ...turn.state, returnsDueAt: isWhole ? ending.until + dayMs : now + hourMs }
  })
}
