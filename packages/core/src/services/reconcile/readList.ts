import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Cents } from "../../model/money/Money.ts"
import type { EventKind } from "../../model/charge/PixEvent.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { DueChecks } from "../../ports/DueChecks.ts"
import type { PaymentSearch } from "../../ports/PaymentProcessor.ts"
import type {
  ListRun,
  Reconciliation,
  Reconciliations,
  ReconciliationTurn,
  WaitingCharge,
} from "../../ports/Reconciliations.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "../../ports/portErrors.ts"
import { monotonicMs } from "../../runtime/clock.ts"
import { logFailure } from "../../runtime/telemetry.ts"
import { isIncomplete, type RecordedPage, type RecordPage } from "./recordPage.ts"
import { isDueBetween } from "./sweepSchedule.ts"

const pageSize = 500

export interface SweepPorts {
  readonly dueChecks: DueChecks["Service"]
  readonly reconciliations: Reconciliations["Service"]
  readonly published: ReadonlyArray<EventKind>
  /** True if the processor is another system and lists its payments. */
  readonly isListed: boolean
}

/** Makes unpaid charges due now. */
const lookUp = Effect.fnUntraced(function* (dueChecks: DueChecks["Service"], charges: ReadonlyArray<WaitingCharge>) {
  const now = yield* Clock.currentTimeMillis
  const later = charges.filter(({ checkAt = now }) => checkAt > now)
  yield* Effect.forEach(later, (charge) => dueChecks.scheduleCharge(charge, now), {
    concurrency: "unbounded",
    discard: true,
  })
})

const lookUpAmounts = ({ dueChecks, reconciliations }: SweepPorts, issuer: Cnpj, amounts: ReadonlyArray<Cents>) =>
  amounts.length === 0
    ? Effect.void
    : Effect.flatMap(reconciliations.waiting(issuer, { amounts, limit: pageSize }), (charges) =>
        lookUp(dueChecks, charges),
      )

/** By their age after `from` and until `until`, both in epoch milliseconds. */
export const lookUpDue = Effect.fnUntraced(function* (
  { dueChecks, reconciliations }: SweepPorts,
  issuer: Cnpj,
  from: number,
  until: number,
) {
  let after: WaitingCharge | undefined
  for (;;) {
    const page = yield* reconciliations.waiting(issuer, { limit: pageSize, ...(after && { after }) })
    yield* lookUp(
      dueChecks,
      page.filter(({ createdAt }) => isDueBetween(createdAt, from, until)),
    )
    if (page.length < pageSize) return
    after = page.at(-1)
  }
})

const dayMs = 86_400_000
/** Longer than reading and recording a page takes. */
export const leaseMs = 300_000

/** How a list ended. `Stopped`: the time was up, or another process has the company. */
export type Ending =
  | { readonly _tag: "Read"; readonly until: number; readonly hasFailed: boolean; readonly pages: number }
  | { readonly _tag: "Refused"; readonly retryAfterMs: number }
  | { readonly _tag: "Stopped" }

const stopped: Ending = { _tag: "Stopped" }

export interface Turn {
  readonly leaseToken: string
  state: Reconciliation
  /** Milliseconds of the monotonic clock. */
  readonly endsAt: number
}

type Kind = "run" | "returnsRun"

const without = (state: Reconciliation, kind: Kind): Reconciliation => {
  const { [kind]: _, ...rest } = state
  return rest
}

export interface TurnList {
  readonly kind: Kind
  readonly run: ListRun
  readonly search: PaymentSearch
  /** When to stop, in epoch milliseconds; absent if the list is read to its end. */
  readonly stopsAt?: number
}

export class ListReader {
  readonly #ports: SweepPorts
  readonly #recordPage: RecordPage

  constructor(ports: SweepPorts, recordPage: RecordPage) {
    this.#ports = ports
    this.#recordPage = recordPage
  }

  readonly read = Effect.fnUntraced(
    { self: this },
    function* (
      turn: Turn,
      { kind, run: first, search, stopsAt = Infinity }: TurnList,
    ): Effect.fn.Return<Ending, StoreUnavailable> {
      let run = first
      for (let pages = 1; ; pages++) {
        const reading = Effect.result(this.#recordPage(turn.state.issuer, search, run.cursor))
        const read = yield* Effect.timeoutOption(reading, turn.endsAt - (yield* monotonicMs))
        if (read._tag === "None") {
          turn.state = { ...turn.state, [kind]: run }
          return stopped
        }
        const now = yield* Clock.currentTimeMillis
        if (read.value._tag === "Failure") {
          // The processor has rejected this cursor for a day: the processor may have forgotten the cursor.
          if (run === first && Math.abs(now - first.until) >= dayMs) turn.state = without(turn.state, kind)
          return yield* refuse(turn, read.value.failure)
        }
        const page = read.value.success
        if (kind === "run") yield* this.#lookUpUnnamed(turn, page, run.until)
        const hasFailed = run.hasFailed === true || isIncomplete(page)
        turn.state = without(turn.state, kind)
        if (page.cursor === undefined) return { _tag: "Read", until: run.until, hasFailed, pages }
        run = { until: run.until, cursor: page.cursor, ...(hasFailed && { hasFailed }) }
        turn.state = { ...turn.state, [kind]: run }
        const isOurs = yield* save(this.#ports, turn, { _tag: "Keep", leaseUntil: now + leaseMs })
        if (!isOurs || now >= stopsAt) return stopped
      }
    },
  )

  /** Looks up the waiting charges of an unnamed payment's amount. */
  #lookUpUnnamed({ state }: Turn, { unnamed }: RecordedPage, until: number) {
    const amounts = unnamed.flatMap(({ amountCents, paidAt, isNew }) =>
      isNew || isDueBetween(paidAt, state.reconciledUntil, until) ? [amountCents] : [],
    )
    return lookUpAmounts(this.#ports, state.issuer, amounts)
  }
}

const refuse = ({ state }: Turn, failure: ProcessorUnavailable): Effect.Effect<Ending> => {
  const { retryAfterMs = 0 } = failure
  return Effect.as(logFailure("Warn", `The payments of ${state.issuer} could not be listed`, failure), {
    _tag: "Refused",
    retryAfterMs: Number.isNaN(retryAfterMs) ? 0 : retryAfterMs,
  })
}

/** Returns false if another process has the company. */
export const save = ({ reconciliations }: SweepPorts, { leaseToken, state }: Turn, next: ReconciliationTurn) =>
  reconciliations.save({ ...state, leaseToken }, next)
