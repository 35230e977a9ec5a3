import * as Effect from "effect/Effect"
import { ProcessorUnavailable, StoreUnavailable } from "../../ports/portErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { delayMsAfter } from "../../runtime/breaker.ts"
import type { Period } from "../../runtime/page.ts"
import type { RecordedPage, RecordPage } from "./recordPage.ts"

/** Result of reconciling a period. */
export interface ReconciledPeriod {
  /** Payments that the processor lists, each counted once. */
  readonly listed: number
  /** Payments that were missing in the books. */
  readonly payments: number
  /** Returns that were missing in the books. */
  readonly returns: number
}

const maxRepeats = 4
const backOff = { firstMs: 1_000, maxMs: 60_000 }
/** Ends a list whose cursors repeat. */
const maxPages = 100_000

/** The processor can request a longer wait. */
const retryDelayMs = (cause: ProcessorUnavailable, failures: number): number => {
  const requestedMs = cause.retryAfterMs ?? 0
  return Math.min(Math.max(Number.isNaN(requestedMs) ? 0 : requestedMs, delayMsAfter(backOff, failures)), backOff.maxMs)
}

/** Fails if the processor doesn't answer, or if a payment can't be read or recorded. */
export const reconcilePeriod = Effect.fnUntraced(function* (recordPage: RecordPage, issuer: Cnpj, period: Period) {
  let [payments, returns, failed, unreadable] = [0, 0, 0, 0]
  // A payment can be on two pages if the list changes meanwhile.
  const listed = new Set<string>()
  let cursor: string | undefined
  for (let pages = 0; pages === 0 || cursor !== undefined; pages++) {
    if (pages === maxPages) {
      return yield* new ProcessorUnavailable({ operation: "payments", cause: `a list of more than ${pages} pages` })
    }
    const page = yield* readPage(recordPage, issuer, period, cursor)
    for (const endToEndId of page.listed) listed.add(endToEndId)
    payments += page.payments
    returns += page.returns
    failed += page.failed
    unreadable += page.unreadable
    cursor = page.cursor
  }
  if (failed > 0) {
    return yield* new StoreUnavailable({ operation: "reconcile", cause: `${failed} payments could not be recorded` })
  }
  if (unreadable > 0) {
    const cause = `${unreadable} of the payments and returns that are listed can't be read`
    return yield* new ProcessorUnavailable({ operation: "payments", cause })
  }
  const reconciled: ReconciledPeriod = { listed: listed.size, payments, returns }
  return reconciled
})

const readPage = Effect.fnUntraced(function* (
  recordPage: RecordPage,
  issuer: Cnpj,
  period: Period,
  cursor: string | undefined,
): Effect.fn.Return<RecordedPage, ProcessorUnavailable> {
  for (let failures = 1; ; failures++) {
    const page = yield* Effect.result(recordPage(issuer, period, cursor))
    if (page._tag === "Success") return page.success
    if (failures > maxRepeats) return yield* page.failure
    yield* Effect.sleep(retryDelayMs(page.failure, failures))
  }
})
