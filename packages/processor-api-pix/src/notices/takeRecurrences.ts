import { chargeIdFromTxid, isTxidOfAnother } from "@pixcharge/core/charges"
import { logFailure, makeRecentMap } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import { Recurrences } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type CallBudget, makeCallBudget, noticeBudget } from "../client/BankGate.ts"
import type { RecurrenceNotice } from "../wire/Webhook.ts"
import { makeOtherCompanies } from "./otherCompanies.ts"

/** Each company has two budgets. The least recently used budget is dropped, and starts full again. */
const maxBudgets = 1_000

const makeBudgets = () => {
  const budgets = makeRecentMap<string, CallBudget>(maxBudgets)
  return (issuer: Cnpj, isOurs: boolean): CallBudget => {
    const key = `${issuer} ${isOurs}`
    const budget = budgets.get(key) ?? makeCallBudget(noticeBudget)
    budgets.set(key, budget)
    return budget
  }
}

/** Schedules checks of the named recurrences. Returns true once they are scheduled, or if all are other systems'. */
export const makeTakeRecurrences = Effect.gen(function* () {
  const recurrences = yield* Effect.serviceOption(Recurrences)
  const otherCompanies = yield* makeOtherCompanies
  const takeFromBudget = makeBudgets()

  /** For all companies on the account: the bank calls one address for them. */
  const checkSoon = Effect.fnUntraced(function* (
    service: Recurrences["Service"],
    issuer: Cnpj,
    named: RecurrenceNotice,
  ) {
    yield* service.checkSoon(issuer, named)
    const sharing = yield* Effect.orElseSucceed(otherCompanies.sharingWith(issuer), () => [])
    for (const company of sharing) if (company !== issuer) yield* service.checkSoon(company, named)
  })

  return (issuer: Cnpj, { bankIds, txids: all, others }: RecurrenceNotice): Effect.Effect<boolean> => {
    const txids = all.filter((txid) => chargeIdFromTxid(issuer, txid) !== undefined || isTxidOfAnother(issuer, txid))
    if (Option.isNone(recurrences) || bankIds.length + txids.length === 0) return Effect.succeed(true)
    const stored = checkSoon(recurrences.value, issuer, { bankIds, txids, others })
    return Effect.matchEffect(Effect.andThen(takeFromBudget(issuer, txids.length > 0), stored), {
      onSuccess: () => Effect.succeed(true),
      onFailure: (error) =>
        error._tag === "PspUnanswered"
          ? Effect.succeed(false)
          : Effect.as(logFailure("Warn", "A notice could not be stored", error), false),
    })
  }
})
