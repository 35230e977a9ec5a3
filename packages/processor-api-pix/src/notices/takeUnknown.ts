import { Bookkeeping, PixCharges } from "@pixcharge/core"
import { chargeIdFromTxid } from "@pixcharge/core/charges"
import { logFailure, makeRecentMap } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Connections } from "../client/Connections.ts"
import type { BankClient } from "../client/PspClient.ts"
import { scanNotice } from "../wire/Webhook.ts"
import { makeOtherCompanies } from "./otherCompanies.ts"

const maxForms = 100
const maxCharges = 10_000
/** Between checks of one charge: a payer who knows the URL could send notices without end. */
const minIntervalMs = 60_000

/**
 * Processes a notice of unknown form: logs its fields, once for each form, and schedules a check of each unpaid charge whose
 * txid it contains. Returns true if all are scheduled.
 */
export const makeTakeUnknown = Effect.gen(function* () {
  const charges = yield* PixCharges
  const books = yield* Bookkeeping
  const connections = yield* Connections
  const others = yield* makeOtherCompanies
  const reported = makeRecentMap<string, true>(maxForms)
  const checkedAt = makeRecentMap<string, number>(maxCharges)

  const logForm = Effect.fnUntraced(function* (issuer: Cnpj, { strayBudget }: BankClient, form: string) {
    if (reported.get(form) === true) return
    yield* strayBudget
    reported.set(form, true)
    yield* Effect.logWarning(`A notice for ${issuer} has an unknown form, with the fields`, form)
  })

  const check = Effect.fnUntraced(function* (issuer: Cnpj, { strayBudget }: BankClient, txid: string) {
    const id = chargeIdFromTxid(issuer, txid)
    if (id === undefined) return
    const now = yield* Clock.currentTimeMillis
    const known = checkedAt.get(txid) ?? -Infinity
    // A time so far ahead shows that the clock was set back: it counts as no check.
    const last = known > now + minIntervalMs ? -Infinity : known
    if (last > now) return
    yield* strayBudget
    const charge = yield* Effect.catchTag(charges.find(issuer, id), "ChargeNotFound", () => Effect.undefined)
    if (charge?._tag !== "Pending") return
    const at = Math.max(now, last + minIntervalMs)
    yield* books.checkNow([charge], at)
    checkedAt.set(txid, at)
  })

  const take = Effect.fnUntraced(function* (issuer: Cnpj, notice: unknown) {
    const { names, txids } = scanNotice(notice)
    const client = yield* connections.forCompany(issuer)
    yield* Effect.ignore(logForm(issuer, client, names.join(" ")))
    yield* others.wake(issuer, txids)
    const oldestFirst = txids.toSorted((a, b) => (checkedAt.get(a) ?? 0) - (checkedAt.get(b) ?? 0))
    yield* Effect.forEach(oldestFirst, (txid) => check(issuer, client, txid), { discard: true })
    return true
  })

  return (issuer: Cnpj, notice: unknown): Effect.Effect<boolean> =>
    Effect.catch(take(issuer, notice), (error) =>
      error._tag === "PspUnanswered"
        ? Effect.succeed(false)
        : Effect.as(
            logFailure("Warn", "The charges in a notice of unknown form could not be scheduled for a check", error),
            false,
          ),
    )
})
