import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Cents } from "../money/Money.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { DueChecks } from "../ports/DueChecks.ts"
import type { Reconciliations, WaitingCharge } from "../ports/Reconciliations.ts"
import { isDueBetween } from "./sweepSchedule.ts"

const pageSize = 500

/** Makes unpaid charges due for a look-up now; the workers that make checks keep the pace of the company's bank. */
export const makeLookUpWaiting = (dueChecks: DueChecks["Service"], reconciliations: Reconciliations["Service"]) => {
  const lookUp = Effect.fnUntraced(function* (charges: ReadonlyArray<WaitingCharge>) {
    const now = yield* Clock.currentTimeMillis
    const later = charges.filter(({ checkAt = now }) => checkAt > now)
    yield* Effect.forEach(later, (charge) => dueChecks.scheduleCharge(charge, now), {
      concurrency: "unbounded",
      discard: true,
    })
  })

  return {
    /** Those of these amounts: a page of the youngest, so that payments which name no charge cost a bounded number of calls. */
    ofAmounts: (issuer: Cnpj, amounts: ReadonlyArray<Cents>) =>
      amounts.length === 0
        ? Effect.void
        : Effect.flatMap(reconciliations.waiting(issuer, { amounts, limit: pageSize }), lookUp),
    /** Those that come due by their age (`isDueBetween`) after `from` and until `until`, in epoch milliseconds. */
    dueBetween: Effect.fnUntraced(function* (issuer: Cnpj, from: number, until: number) {
      let after: WaitingCharge | undefined
      for (;;) {
        const page = yield* reconciliations.waiting(issuer, { limit: pageSize, ...(after && { after }) })
        yield* lookUp(page.filter(({ createdAt }) => isDueBetween(createdAt, from, until)))
        if (page.length < pageSize) return
        after = page.at(-1)
      }
    }),
  }
}

/** Looks up unpaid charges. */
export type LookUpWaiting = ReturnType<typeof makeLookUpWaiting>
