import { ProcessorUnavailable } from "@pixcharge/core"
import { isCpf } from "@pixcharge/core/party"
import type { Recurrence } from "@pixcharge/core/recurrence"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { PspClient } from "../../http/PspClient.ts"
import { instantText, recurrencePath, recurrencesPath } from "../../wire/paths.ts"
import type { PspRefusal } from "../../wire/Problem.ts"
import { type PspRecurrence, type PspRecurrencePage, readRecurrencePage, recurrenceReaderFor } from "../../wire/Rec.ts"
import { askByBankClock, type BankPeriod } from "../askByBankClock.ts"
import { orUndefined, orUndefinedIfSure } from "../chargeCalls.ts"
import { listWindow } from "../listWindow.ts"
import { readMissing } from "./readMissing.ts"

type Found<A> = Effect.Effect<A, ProcessorUnavailable | PspRefusal>

/** A recurrence's creation is known to the second, and by a clock that may differ by this much. */
const clockSkewMs = 60_000

/** A bank that never comes to an end is mistaken. */
const maxPages = 1_000

/** The recurrence with this id at the bank; undefined where it has none. With the txid of a charge its code pays that, too. */
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

const empty: PspRecurrencePage = { recurrences: [], count: 0, flaws: [] }

/** One page of the recurrences that were made in a period, of one debtor where that is known. */
export const listRecurrences = (
  client: PspClient,
  { payer }: Pick<Recurrence, "payer">,
  period: { from: number; to: number },
  page: number,
) => {
  const debtor = payer && (isCpf(payer.taxId) ? { cpf: payer.taxId } : { cnpj: payer.taxId })
  const call = client.call({
    operation: "lookupRecurrence",
    method: "GET",
    path: recurrencesPath,
    query: {
      inicio: instantText(period.from),
      fim: instantText(period.to),
      ...debtor,
      "paginacao.paginaAtual": String(client.profile.firstPage + page),
      "paginacao.itensPorPagina": String(client.profile.pageSize),
    },
    read: readRecurrencePage,
  })
  if (client.profile.emptyList === "page") return call
  return Effect.map(orUndefinedIfSure("lookupRecurrence", call), (found) => found ?? empty)
}

/** All pages of one period; banks may pass over the filter, so that only the contract counts. */
const listContract = Effect.fnUntraced(function* (
  client: PspClient,
  recurrence: Recurrence,
  period: { readonly from: number; readonly to: number },
) {
  const found: Array<PspRecurrence> = []
  for (let page = 0; page < maxPages; page++) {
    const { recurrences, count, flaws, pages } = yield* listRecurrences(client, recurrence, period, page)
    // One that can't be read may be ours.
    if (flaws[0] !== undefined)
      return yield* new ProcessorUnavailable({ operation: "lookupRecurrence", cause: flaws[0] })
    found.push(...recurrences.filter(({ contract }) => contract === recurrence.contract))
    const isLast = pages === undefined ? count < client.profile.pageSize : page + 1 >= pages
    if (isLast || count === 0) break
  }
  return found
})

/** A period is asked for in whole seconds, and the one that has begun may hold ours: to its end is up to this long. */
const wholeSecondMs = 999

/** A bank that refuses a period which ends within a second takes it after that. */
const onceLater = {
  times: 1,
  schedule: Schedule.spaced("1 second"),
  while: ({ _tag }: { readonly _tag: string }) => _tag === "PspRefusal",
}

const listAll = Effect.fnUntraced(function* (client: PspClient, recurrence: Recurrence, period: BankPeriod) {
  const found: Array<PspRecurrence> = []
  let from = period.from
  do {
    const part = listWindow(from, period.until, client.profile)
    const to = Math.min(part.to, period.latest + wholeSecondMs)
    found.push(...(yield* Effect.retry(listContract(client, recurrence, { from, to }), onceLater)))
    from = part.until
  } while (from < period.until)
  return found
})

/** Of several with one contract: the one that its payer has authorised, else one that can be, else the first. */
const rank = ({ status }: PspRecurrence): number => (status === "approved" ? 0 : status === "offered" ? 1 : 2)

/**
 * The recurrence with our contract, of those that the bank has made since ours was stored; undefined where it has none. Where an
 * offer was carried out twice all the same, every process chooses the same one.
 */
export const findByContract = (client: PspClient, recurrence: Recurrence): Found<PspRecurrence | undefined> =>
  Effect.gen(function* () {
    const period = { from: recurrence.createdAt - clockSkewMs, until: yield* Clock.currentTimeMillis }
    const found = yield* askByBankClock(client.clock, period, (bankPeriod) => listAll(client, recurrence, bankPeriod))
    return found.toSorted((a, b) => rank(a) - rank(b) || (a.bankId < b.bankId ? -1 : 1))[0]
  })
