import { InvalidOption } from "@pixcharge/core"
import type { RecurrenceFilter } from "@pixcharge/core/recurring"
import type { Cnpj } from "@pixcharge/core/party"
import { normalizeTaxId, parseTaxId } from "@pixcharge/core/party"
import {
  parseRecurrenceId,
  parseRecurrenceRequest,
  type Recurrence,
  type RecurrenceId,
  type RecurrenceRequestInput,
} from "@pixcharge/core/recurrence"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { checkFields, recurrenceRequestFields } from "./checkFields.ts"
import { checkFilter, checkPage, recurrenceFields } from "./checkFilter.ts"
import type { Calls } from "./makeCalls.ts"
import { mapPage, pageRequest } from "./pages.ts"
import { parseCycle, parseCycleNumber, parseDay } from "./CycleInput.ts"
import type { Recurrences, RecurrenceSearch } from "./pix/Recurrences.ts"
import { toPlainCharge } from "./plain.ts"
import { toPlainRecurrence } from "./plainRecurrence.ts"
import type { Services } from "./services.ts"
import { toPlainNow } from "./toPlainNow.ts"

const missing = new InvalidOption({
  message: "pix.recurrences needs the option recurrences of createPix: recurrences: true.",
})

type Called = NonNullable<Services["recurrences"]>

/** Calls about recurrences, which only a host that has them can make. */
export const makeOnRecurrences = <S extends Services>({ asCompany }: Calls<S>) => {
  const withAll = <A, E>(
    issuer: string,
    use: (recurrences: Called, company: Cnpj, services: S) => Effect.Effect<A, E>,
  ) =>
    asCompany(issuer, (services, company): Effect.Effect<A, E | InvalidOption> =>
      services.recurrences === undefined ? Effect.fail(missing) : use(services.recurrences, company, services),
    )

  /** The same about one of them. Rejects with `InvalidRecurrenceId`. */
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

/** A recurrence as a host sees it, with when it is due next. */
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

/** Recurrences, for a plain host. */
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
    skip: (issuer, id, cycle) =>
      withOne(issuer, id, (recurrences, company, one) =>
        Effect.flatMap(parseCycleNumber("recurrences.skip(issuer, id, cycle)", cycle), (parsed) =>
          showNow(recurrences, recurrences.skip(company, one, parsed)),
        ),
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
