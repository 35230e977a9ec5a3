import type * as Effect from "effect/Effect"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { ClaimRequest } from "../../ports/DueChecks.ts"
import type { StoreUnavailable } from "../../ports/portErrors.ts"
import type { BackOffRule } from "../../runtime/breaker.ts"

/** What a check came to: its answer moved something or not, the processor gave no answer, or something else failed. */
export type Finding = "moved" | "unchanged" | "unanswered" | "failed"

/** A check at the processor that is due, and that this process has claimed. Moments are in epoch milliseconds. */
export interface DueCheck {
  /** Names it in a log. */
  readonly label: string
  readonly issuer: Cnpj
  /** Since when it waits for an answer. */
  readonly waitsSince: number
  /** A failure from then on ends the checks; a call without an answer and an outage don't count. */
  readonly giveUpAt?: number
  /** Calls the processor, commits its answer and schedules the next check, if there is one; whether something moved. */
  readonly run: Effect.Effect<boolean, unknown>
  /** When the next check is due after one that fails now. */
  readonly retryAt: (now: number) => number
  /** Sets when the next check is due; undefined ends them. */
  readonly reschedule: (checkAt: number | undefined) => Effect.Effect<void, StoreUnavailable>
}

/** One kind of checks, and how they are made. */
export interface CheckJob {
  /** Takes what is due, and puts its next check to the end of the lease. */
  readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<DueCheck>, StoreUnavailable>
  readonly onFinding?: (finding: Finding) => Effect.Effect<void>
  /** Checks under way at once. */
  readonly maxAtOnce: number
  /** How long to wait when nothing is due: at first, and at most. */
  readonly idleMs: BackOffRule
}
