import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { IssuerNotEligible } from "../../model/charge/chargeErrors.ts"
import { issueExpiry } from "../../model/charge/Issue.ts"
import { CompanyNotFound } from "../../model/directory/directoryErrors.ts"
import type { RecurrenceId } from "../../model/cycle/RecurrenceId.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { type Company, missingPrerequisites } from "../../model/party/Company.ts"
import { byCommand } from "../../model/recurrence/decideRecurrence.ts"
import { checkOffer, isOfferOpen, isSameOffer, maxOfferMs, newRecurrence } from "../../model/recurrence/Offer.ts"
import type { EndingRecurrence, Recurrence } from "../../model/recurrence/Recurrence.ts"
import { RecurrenceConflict } from "../../model/recurrence/recurrenceErrors.ts"
import type { RecurrenceRequest } from "../../model/recurrence/RecurrenceRequest.ts"
import { ifNamed } from "../../ports/AuditLog.ts"
import { ProcessorUnavailable } from "../../ports/portErrors.ts"
import type { RecurrenceOrder } from "../../ports/RecurrenceProcessor.ts"
import { answerMs, commitRecurrence, loadRecurrence, moveRecurrence } from "./moveRecurrence.ts"
import { RecurrencePorts } from "./RecurrencePorts.ts"

/** How long an unanswered offer can still succeed at the bank. */
const offerUnderWayMs = 120_000

export const offerRecurrence = Effect.fnUntraced(function* (issuer: Cnpj, request: RecurrenceRequest) {
  const { recurrences } = yield* RecurrencePorts
  const known = yield* recurrences.find(issuer, request.id)
  if (known !== undefined) return yield* repeat(known, request)
  const company = yield* findCompany(issuer)
  yield* checkTerms(company, request)
  const now = yield* Clock.currentTimeMillis
  const recurrence = newRecurrence(issuer, request, yield* prepareJourney(issuer, request, now), now)
  const audit = yield* ifNamed({ kind: "recurrenceOffered", recurrenceId: request.id } as const)
  const insertion = yield* recurrences.insert(recurrence, now + answerMs, audit)
  if (insertion._tag === "ContractTaken") return yield* new RecurrenceConflict({ issuer, id: request.id })
  if (insertion._tag === "Exists") return yield* repeat(insertion.recurrence, request)
  return yield* propose({ company, recurrence, isFresh: true })
})

/** Fails with `IssuerNotEligible` if the company lacks data. */
export const findCompany = Effect.fnUntraced(function* (issuer: Cnpj) {
  const { directory } = yield* RecurrencePorts
  const entry = yield* directory.find(issuer)
  if (entry === undefined) return yield* new CompanyNotFound({ issuer })
  const missing = missingPrerequisites(entry.company)
  return missing.length > 0 ? yield* new IssuerNotEligible({ issuer, missing }) : entry.company
})

const checkTerms = Effect.fnUntraced(function* (company: Company, request: RecurrenceRequest) {
  const { store, calendar } = yield* RecurrencePorts
  const { journey } = request
  const holidays = calendar.forCompany(company)
  const now = yield* Clock.currentTimeMillis
  if (journey.by !== "payment") return yield* Effect.fromResult(checkOffer(request, holidays, now))
  const known = yield* store.find(company.cnpj, journey.charge.id)
  const { payableUntil } = known ?? issueExpiry({ company, holidays, request: journey.charge }, now)
  return yield* Effect.fromResult(checkOffer(request, holidays, now, payableUntil))
})

const prepareJourney = Effect.fnUntraced(function* (issuer: Cnpj, { journey }: RecurrenceRequest, now: number) {
  if (journey.by === "code") return { by: "code" as const, until: journey.until ?? now + maxOfferMs }
  if (journey.by !== "payment") return journey
  const { charges } = yield* RecurrencePorts
  const { id: chargeId, dueDate } = yield* charges.issue(issuer, journey.charge)
  return { by: "payment" as const, chargeId, ...(dueDate && { dueDate }) }
})

const propose = Effect.fnUntraced(function* (order: RecurrenceOrder) {
  const { bank } = yield* RecurrencePorts
  const { recurrence } = order
  const view = yield* Effect.tapErrorTag(bank.offer(order), "ProcessorRejected", () =>
    moveRecurrence(recurrence, byCommand({ _tag: "RecordRefusal" })),
  )
  return yield* moveRecurrence(recurrence, byCommand({ _tag: "RecordView", view }))
})

const repeat = Effect.fnUntraced(function* (known: Recurrence, request: RecurrenceRequest) {
  const { issuer, id } = known
  if (!isSameOffer(known, request)) return yield* new RecurrenceConflict({ issuer, id })
  return known._tag === "Requested" ? yield* continueOffer(known) : known
})

/**
 * The bank can't recognise a repeated call, and a payer could authorise both offers: repeats only once no earlier call can be
 * under way, and only in the process whose commit succeeds.
 */
const continueOffer = Effect.fnUntraced(function* (recurrence: Recurrence) {
  const { bank } = yield* RecurrencePorts
  const company = yield* findCompany(recurrence.issuer)
  const shown = yield* bank.lookup(recurrence)
  if (shown !== undefined) return yield* propose({ company, recurrence, bankId: shown.bankId })
  const now = yield* Clock.currentTimeMillis
  const { version, updatedAt } = recurrence
  const next = { ...recurrence, version: version + 1, updatedAt: now }
  const isOurs =
    now >= updatedAt + offerUnderWayMs && (yield* commitRecurrence(recurrence, { next }, { checkAt: now + answerMs }))
  if (isOurs) return yield* propose({ company, recurrence: next })
  return yield* new ProcessorUnavailable({ operation: "offer", cause: "an earlier call may still be under way" })
})

/** An unanswered offer that the bank doesn't show after this time never arrived. */
const offerLostMs = 600_000

export const followRecurrence = Effect.fnUntraced(function* (recurrence: Recurrence) {
  if (recurrence._tag === "Ended") return recurrence
  if (recurrence._tag === "Requested") return yield* continueOffer(recurrence)
  if (recurrence._tag === "Ending") return yield* continueEnd(recurrence)
  return yield* endUnauthorised((yield* lookUp(recurrence)) ?? recurrence)
})

const lookUp = Effect.fnUntraced(function* (recurrence: Recurrence) {
  const { bank } = yield* RecurrencePorts
  const view = yield* bank.lookup(recurrence)
  return view === undefined ? undefined : yield* moveRecurrence(recurrence, byCommand({ _tag: "RecordView", view }))
})

/** Ends an offer that the payer can no longer authorise. */
const endUnauthorised = Effect.fnUntraced(function* (recurrence: Recurrence) {
  const { store } = yield* RecurrencePorts
  const { issuer, journey, _tag: state } = recurrence
  if (state !== "Offered") return recurrence
  const charge = journey.by === "payment" ? yield* store.find(issuer, journey.chargeId) : undefined
  if (isOfferOpen(recurrence, charge, yield* Clock.currentTimeMillis)) return recurrence
  return yield* endAtBank(yield* moveRecurrence(recurrence, byCommand({ _tag: "RequestEnd", reason: "expired" })))
})

/** Looks up the bank's id first if an unanswered offer left it unknown. */
const continueEnd = Effect.fnUntraced(function* (recurrence: EndingRecurrence) {
  const known = recurrence.bankId === undefined ? yield* lookUp(recurrence) : recurrence
  if (known !== undefined) return yield* endAtBank(known)
  const isLost = (yield* Clock.currentTimeMillis) > recurrence.requestedAt + offerLostMs
  return isLost ? yield* moveRecurrence(recurrence, byCommand({ _tag: "RecordAbsence" })) : recurrence
})

/** Checks repeat the call to the bank until the bank confirms. */
export const endRecurrence = Effect.fnUntraced(function* (issuer: Cnpj, id: RecurrenceId) {
  const audit = yield* ifNamed({ kind: "recurrenceEndRequested", recurrenceId: id } as const)
  const recurrence = yield* loadRecurrence(issuer, id)
  return yield* endAtBank(yield* moveRecurrence(recurrence, byCommand({ _tag: "RequestEnd" }), { audit }))
})

const endAtBank = Effect.fnUntraced(function* (recurrence: Recurrence) {
  const { bank } = yield* RecurrencePorts
  if (recurrence._tag !== "Ending" || recurrence.bankId === undefined) return recurrence
  const { bankId } = recurrence
  const view = yield* Effect.catchTag(bank.end({ ...recurrence, bankId }), "ProcessorRejected", () =>
    bank.lookup(recurrence),
  )
  return view === undefined ? recurrence : yield* moveRecurrence(recurrence, byCommand({ _tag: "RecordView", view }))
})
