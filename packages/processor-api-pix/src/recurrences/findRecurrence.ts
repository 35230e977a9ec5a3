import { ProcessorUnavailable } from "@pixcharge/core"
import type { Recurrence } from "@pixcharge/core/recurrence"
import type { OtherBankIds } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import type { PspClient } from "../client/PspClient.ts"
import { type ListPlace, listWindow, makeFirstPlace, type PageResult, readPage } from "../processor/ListPlace.ts"
import { orUndefined, orUndefinedIfSure, readMissing } from "../processor/refusals.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { type PspRecurrence, type PspRecurrencePage, readRecurrencePage, recurrenceReaderFor } from "../wire/Rec.ts"
import { writeTaxId } from "../wire/bodies.ts"
import { pageQuery } from "../wire/lists.ts"
import { recurrencePath, recurrencesPath } from "../wire/paths.ts"

type Found<A> = Effect.Effect<A, ProcessorUnavailable | PspRefusal>

const clockSkewMs = 60_000

/**
 * Finds the bank's recurrence with this id, or undefined. If a charge's txid is given, the recurrence's code also pays
 * that charge.
 */
export const findRecurrence = (client: PspClient, bankId: string, txid?: string): Found<PspRecurrence | undefined> =>
  orUndefined(
    readMissing(
      client.call({
        operation: "lookupRecurrence",
        method: "GET",
        path: recurrencePath(bankId),
        ...(txid !== undefined && { query: { txid } }),
        read: recurrenceReaderFor(bankId),
        mayBeMissing: true,
      }),
    ),
  )

const empty: PspRecurrencePage = { recurrences: [], marks: [], flaws: [], pages: 1, total: 0 }

export const listRecurrences = (
  client: PspClient,
  { payer }: Pick<Recurrence, "payer">,
  period: { readonly from: number; readonly to: number },
  place: ListPlace,
): Found<PageResult<PspRecurrencePage>> => {
  const { pageSize, emptyList } = client.profile
  const call = client.call({
    operation: "lookupRecurrence",
    method: "GET",
    path: recurrencesPath,
    query: { ...(payer && writeTaxId(payer)), ...pageQuery({ ...period, page: place.page, pageSize }) },
    read: readRecurrencePage,
  })
  const found =
    emptyList === "page" ? call : Effect.map(orUndefinedIfSure("lookupRecurrence", call), (known = empty) => known)
  return readPage(client, place, { operation: "lookupRecurrence", found, empty })
}

/** Selects by contract here, because banks can ignore the filter by payer. */
const listContract = Effect.fnUntraced(function* (
  client: PspClient,
  recurrence: Recurrence,
  period: { readonly from: number; readonly to: number },
) {
  const all: Array<PspRecurrence> = []
  let place: ListPlace | undefined = makeFirstPlace(period.from, client.profile)
  while (place !== undefined) {
    const { got, next }: PageResult<PspRecurrencePage> = yield* listRecurrences(client, recurrence, period, place)
    if (got.flaws[0] !== undefined)
      return yield* new ProcessorUnavailable({ operation: "lookupRecurrence", cause: got.flaws[0] })
    all.push(...got.recurrences.filter(({ contract }) => contract === recurrence.contract))
    place = next
  }
  return all
})

const listAll = Effect.fnUntraced(function* (client: PspClient, recurrence: Recurrence) {
  const until = yield* client.clock.now
  const found: Array<PspRecurrence> = []
  let from = recurrence.createdAt - clockSkewMs + Math.min(client.clock.aheadMs(), 0)
  do {
    const part = listWindow(from, until, client.profile)
    found.push(...(yield* listContract(client, recurrence, { from, to: Math.min(part.to, until) })))
    from = part.until
  } while (from < until)
  return found
})

const rank = ({ status }: PspRecurrence): number => (status === "approved" ? 0 : status === "offered" ? 1 : 2)

/** After this delay, a list contains all earlier recurrences. */
export const settleMs = 2_000

/**
 * Finds the bank's recurrence with our contract that was made since our recurrence was stored, or undefined. If the
 * bank executed an offer twice, every process chooses the same recurrence.
 */
export const findByContract = (
  client: PspClient,
  recurrence: Recurrence,
  others: OtherBankIds = Effect.succeed([]),
): Found<PspRecurrence | undefined> =>
  Effect.gen(function* () {
    // Until we know the bank's clock, the period can end in the bank's future, and the bank can refuse it.
    const first = yield* Effect.catchTag(listAll(client, recurrence), "PspRefusal", () => Effect.succeed([]))
    const found = first.length > 0 ? first : yield* Effect.delay(listAll(client, recurrence), settleMs)
    const notOurs = found.length > 0 ? yield* others : []
    const own = found.filter(({ bankId }) => !notOurs.includes(bankId))
    return own.toSorted((a, b) => rank(a) - rank(b) || (a.bankId < b.bankId ? -1 : 1))[0]
  })
