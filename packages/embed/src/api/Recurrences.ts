import { InvalidOption, type Page, type PageRequest } from "@pixcharge/core"
import { type Cnpj, normalizeTaxId, parseTaxId } from "@pixcharge/core/party"
import {
  parseRecurrenceId,
  parseRecurrenceRequest,
  type Recurrence,
  type RecurrenceId,
  type RecurrenceRequestInput,
} from "@pixcharge/core/recurrence"
import type { RecurrenceFilter } from "@pixcharge/core/recurring"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Services } from "../instance/services.ts"
import { checkFilter, checkPage, mapPage, pageRequest, recurrenceFields } from "./filters.ts"
import {
  type CycleInput,
  parseCycle,
  parseDay,
  parseSkipped,
  type PlainRecurrence,
  type RecurrenceStatus,
  type SkippedCycles,
  toPlainRecurrence,
} from "./RecurrenceFacts.ts"
import { checkFields, recurrenceRequestFields } from "./checkFields.ts"
import type { Calls } from "./calls.ts"
import { type PlainCharge, toPlainCharge, toPlainNow } from "./plain.ts"

/** Selects recurrences; every field narrows. */
export interface RecurrenceSearch {
  readonly status?: RecurrenceStatus | undefined
  /** The payer's CPF or CNPJ, with or without punctuation. */
  readonly payer?: string | undefined
  /**
   * At most 200 characters: from 2 on, the beginning of a word of the payer's name, or of several words in order, in upper or lower
   * case, with or without accents; the payer's whole tax id, with or without punctuation; from 8 characters on, the beginning of the
   * recurrence's id; or its whole contract.
   */
  readonly text?: string | undefined
}

/**
 * Pix Automático: the payer authorises once, and each cycle is charged. Ids are UUIDs. `pix.find`, `pix.cancel` and
 * `pix.refund` work with a cycle's charge, too.
 *
 * Every call can reject with `InvalidOption`, for example without the option `recurrences` of `createPix`, and with
 * `InvalidRecurrenceId` for the id of a recurrence.
 */
export interface Recurrences {
  /**
   * Offers a recurrence to its payer. A repeated request returns the recurrence that the first request offered. It has a
   * `brCode` unless the bank's app asks the payer. The events `recurrence-approved` and `recurrence-ended` report the payer's
   * decision.
   *
   * Rejects with `InvalidRecurrenceRequest`, `StartDateTooEarly`, `SolicitationOutOfRange`, `CompanyNotFound` or
   * `IssuerNotEligible`; with `RecurrenceConflict` if the id or the contract is taken on other terms; with
   * `ProcessorUnavailable` (pixcharge repeats the offer) or `ProcessorRejected`; and as `issue` does, if the payer authorises
   * by paying a charge.
   *
   * @example
   * const { brCode } = await pix.recurrences.offer("12345678000195", {
   *   id: randomUUID(),
   *   payer: { name: "Ana Souza", taxId: "529.982.247-25" },
   *   title: "Academia",
   *   period: "monthly",
   *   startDate: "2027-04-10",
   *   amountCents: 4_990,
   *   retries: "threeInSeven",
   *   journey: { by: "code" },
   * })
   */
  readonly offer: (issuer: string, request: RecurrenceRequestInput) => Promise<PlainRecurrence>
  /** The recurrence as it is now. Rejects with `RecurrenceNotFound`. */
  readonly find: (issuer: string, id: string) => Promise<PlainRecurrence>
  /**
   * The company's recurrences, newest first. Rejects with `InvalidFilter`.
   *
   * @example
   * const { items, cursor } = await pix.recurrences.list("12345678000195", { status: "approved" })
   */
  readonly list: (
    issuer: string,
    filter?: RecurrenceSearch,
    page?: Partial<PageRequest>,
  ) => Promise<Page<PlainRecurrence>>
  /** The charges of its cycles, last cycle first. Rejects with `InvalidFilter`. */
  readonly charges: (issuer: string, id: string, page?: Partial<PageRequest>) => Promise<Page<PlainCharge>>
  /**
   * Ends a recurrence: no further cycle is charged. It stays `ending` until the bank has confirmed the end; pixcharge repeats
   * the request. A debit due today can't be stopped. Rejects with `RecurrenceNotFound`, `ProcessorUnavailable` or
   * `ProcessorRejected`.
   */
  readonly end: (issuer: string, id: string) => Promise<PlainRecurrence>
  /**
   * Charges one cycle of a recurrence without a fixed amount, or charges a cycle again after its charge was cancelled or
   * rejected. pixcharge charges fixed amounts by itself.
   *
   * Rejects with `RecurrenceNotFound` or `RecurrenceNotApproved`; with `AmountIsFixed` for another amount than the
   * recurrence's; with `CycleNotOpen` outside of the cycle's window, and if it has a charge; with `CompanyNotFound`,
   * `IssuerNotEligible` or `ProcessorRejected`.
   */
  readonly charge: (issuer: string, id: string, cycle: CycleInput) => Promise<PlainCharge>
  /**
   * Skips a cycle that was paid otherwise or isn't owed, or for a pause the cycles from `from` to `to`: their charges are
   * cancelled or never made, without an event. Can be repeated, also with overlapping cycles; can't be undone. Paid cycles before
   * the last one stay.
   *
   * Rejects with `RecurrenceNotFound` or `RecurrenceNotApproved`; with `CycleNotOpen` if the recurrence has no such cycle; with
   * `CancelTooLate`, which names the charge, before any cycle is skipped; with `ChargeAlreadyPaid` if the last cycle is paid; if
   * a charge is at the bank, with `ProcessorUnavailable` or `ProcessorRejected`.
   *
   * @example
   * await pix.recurrences.skip("12345678000195", id, { cycles: [4, 6] })
   */
  readonly skip: (issuer: string, id: string, cycles: SkippedCycles) => Promise<PlainRecurrence>
  /**
   * Requests a new attempt after a failed debit, on a day (`YYYY-MM-DD`), by default the earliest. Up to three with `retries:
   * "threeInSeven"`, including the attempts of `retryOn`; on a day of `retryOn`, this replaces that day's attempt. Rejects with
   * `ChargeNotFound`, `RetryNotPossible` (`obstacle` says why), `RecurrenceNotApproved` once it is ended, `ProcessorUnavailable`
   * (pixcharge repeats the request) or `ProcessorRejected`.
   */
  readonly retry: (issuer: string, chargeId: string, on?: string) => Promise<PlainCharge>
}

const missing = new InvalidOption({
  message: "pix.recurrences needs the option recurrences of createPix: recurrences: true.",
})

type Called = NonNullable<Services["recurrences"]>

export const makeOnRecurrences = <S extends Services>({ asCompany }: Calls<S>) => {
  const withAll = <A, E>(
    issuer: string,
    use: (recurrences: Called, company: Cnpj, services: S) => Effect.Effect<A, E>,
  ) =>
    asCompany(issuer, (services, company): Effect.Effect<A, E | InvalidOption> =>
      services.recurrences === undefined ? Effect.fail(missing) : use(services.recurrences, company, services),
    )

  const withOne = <A, E>(
    issuer: string,
    id: string,
    use: (recurrences: Called, company: Cnpj, id: RecurrenceId, services: S) => Effect.Effect<A, E>,
  ) =>
    withAll(issuer, (recurrences, company, services) =>
      Effect.flatMap(Effect.fromResult(parseRecurrenceId(id)), (parsed) => use(recurrences, company, parsed, services)),
    )

  return { withAll, withOne }
}

export const showNow = <E>({ dueDates }: Called, found: Effect.Effect<Recurrence, E>) =>
  Effect.flatMap(found, (recurrence) =>
    Effect.map(dueDates(recurrence.issuer), (dueDate) => toPlainRecurrence(recurrence, dueDate(recurrence))),
  )

const parseOffer = (request: RecurrenceRequestInput) =>
  Effect.andThen(
    checkFields("recurrences.offer(issuer, request)", request, recurrenceRequestFields),
    Effect.fromResult(parseRecurrenceRequest(request)),
  )

const states = {
  requested: "Requested",
  offered: "Offered",
  approved: "Approved",
  ending: "Ending",
  ended: "Ended",
} as const satisfies Record<string, Recurrence["_tag"]>

const parseSearch = Effect.fnUntraced(function* (given: RecurrenceSearch) {
  const { status, payer, text } = yield* checkFilter(given, recurrenceFields)
  const taxId = payer === undefined ? undefined : yield* Effect.fromResult(parseTaxId(normalizeTaxId(payer)))
  const filter: RecurrenceFilter = {
    ...(status && { state: states[status] }),
    ...(taxId && { payer: taxId }),
    ...(text !== undefined && { text }),
  }
  return filter
})

export const makeRecurrences = (calls: Calls<Services>): Recurrences => {
  const { withAll, withOne } = makeOnRecurrences(calls)
  return {
    offer: (issuer, request) =>
      withAll(issuer, (recurrences, company) =>
        Effect.flatMap(parseOffer(request), (parsed) => showNow(recurrences, recurrences.offer(company, parsed))),
      ),
    find: (issuer, id) =>
      withOne(issuer, id, (recurrences, company, one) => showNow(recurrences, recurrences.find(company, one))),
    list: (issuer, filter = {}, page = {}) =>
      withAll(
        issuer,
        Effect.fnUntraced(function* ({ list, dueDates }, company) {
          const [parsed, checked] = yield* Effect.all([parseSearch(filter), checkPage(page)])
          const listed = yield* list(company, parsed, pageRequest(checked))
          const dueDate = yield* dueDates(company)
          return mapPage(listed, (recurrence) => toPlainRecurrence(recurrence, dueDate(recurrence)))
        }),
      ),
    charges: (issuer, id, page = {}) =>
      withOne(
        issuer,
        id,
        Effect.fnUntraced(function* ({ charges }, company, one) {
          const listed = yield* charges(company, one, pageRequest(yield* checkPage(page)))
          const now = yield* Clock.currentTimeMillis
          return mapPage(listed, (charge) => toPlainCharge(charge, now))
        }),
      ),
    end: (issuer, id) =>
      withOne(issuer, id, (recurrences, company, one) => showNow(recurrences, recurrences.end(company, one))),
    charge: (issuer, id, cycle) =>
      withOne(issuer, id, ({ charge }, company, one) =>
        Effect.flatMap(parseCycle(cycle), (parsed) => toPlainNow(charge(company, one, parsed))),
      ),
    skip: (issuer, id, cycles) =>
      withOne(issuer, id, (recurrences, company, one) =>
        Effect.flatMap(parseSkipped(cycles), (parsed) => showNow(recurrences, recurrences.skip(company, one, parsed))),
      ),
    retry: (issuer, chargeId, on) =>
      calls.onCharge(issuer, chargeId, ({ recurrences }, company, charge) =>
        recurrences === undefined
          ? Effect.fail(missing)
          : Effect.flatMap(parseDay("recurrences.retry(issuer, chargeId, on)", "on", on), (day) =>
              toPlainNow(recurrences.retry(company, charge, day)),
            ),
      ),
  }
}
