import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChargePorts } from "../charges/ChargePorts.ts"
import type { PixCharges } from "../charges/PixCharges.ts"
import { IssuerNotEligible } from "../../model/charge/chargeErrors.ts"
import { issueExpiry } from "../../model/charge/Issue.ts"
import { CompanyNotFound } from "../../model/directory/directoryErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { type Company, missingPrerequisites } from "../../model/party/Company.ts"
import { ifNamed } from "../../ports/AuditLog.ts"
import { ProcessorUnavailable } from "../../ports/portErrors.ts"
import type { RecurrenceOrder, RecurrenceProcessor } from "../../ports/RecurrenceProcessor.ts"
import type { RecurrenceMoves } from "./RecurrenceMoves.ts"
import { checkOffer, isSameOffer, maxOfferMs } from "../../model/recurrence/Offer.ts"
import type { Recurrence, RequestedRecurrence } from "../../model/recurrence/Recurrence.ts"
import { RecurrenceConflict } from "../../model/recurrence/recurrenceErrors.ts"
import type { RecurrenceRequest } from "../../model/recurrence/RecurrenceRequest.ts"

/** If this process dies before the bank answers, another one asks it after this long. Longer than an answer takes. */
const offerCheckMs = 60_000

/** How long after a call without an answer the bank may still carry it out. */
const offerUnderWayMs = 120_000

/** Offering a recurrence: stored before the bank is called, and looked for there before it is offered again. */
export const makeOfferRecurrence = (
  { recurrences, directory, store, calendar }: ChargePorts,
  moves: RecurrenceMoves,
  processor: RecurrenceProcessor["Service"],
  charges: PixCharges["Service"],
) => {
  /** Makes it known to the bank, and records what that shows. */
  const propose = Effect.fnUntraced(function* (
    recurrence: Recurrence,
    company: Company,
    known: Pick<RecurrenceOrder, "isFresh" | "bankId"> = {},
  ) {
    const order = { company, recurrence, ...known }
    const view = yield* Effect.tapErrorTag(processor.offer(order), "ProcessorRejected", () =>
      moves.apply(recurrence, { _tag: "RecordRefusal" }),
    )
    return yield* moves.apply(recurrence, { _tag: "RecordView", view })
  })

  /**
   * Carries an offer on that had no answer. The bank has no key by which it would know a repeated call, and a payer would authorise
   * both. So it is offered again only once no earlier call can be under way, and by the one that has stored this.
   */
  const carryOn = Effect.fnUntraced(function* (recurrence: Recurrence, company: Company) {
    const shown = yield* processor.lookup(recurrence)
    if (shown !== undefined) return yield* propose(recurrence, company, { bankId: shown.bankId })
    const now = yield* Clock.currentTimeMillis
    const { version, updatedAt } = recurrence
    const next = { ...recurrence, version: version + 1, updatedAt: now }
    const isOurs =
      now >= updatedAt + offerUnderWayMs && (yield* moves.commit(recurrence, { next }, { checkAt: now + offerCheckMs }))
    if (isOurs) return yield* propose(next, company)
    return yield* new ProcessorUnavailable({ operation: "offer", cause: "an earlier call may still be under way" })
  })

  /** Checks the offer before a charge is issued for it. */
  const check = Effect.fnUntraced(function* (company: Company, request: RecurrenceRequest) {
    const { journey } = request
    const holidays = calendar.forCompany(company)
    const now = yield* Clock.currentTimeMillis
    if (journey.by !== "payment") return yield* Effect.fromResult(checkOffer(request, holidays, now))
    const known = yield* store.find(company.cnpj, journey.charge.id)
    const { payableUntil } = known ?? issueExpiry({ company, holidays, request: journey.charge }, now)
    return yield* Effect.fromResult(checkOffer(request, holidays, now, payableUntil))
  })

  /** Its charge comes first where the payer authorises by paying one. */
  const prepareJourney = Effect.fnUntraced(function* (issuer: Cnpj, { journey }: RecurrenceRequest, now: number) {
    if (journey.by === "code") return { by: "code" as const, until: journey.until ?? now + maxOfferMs }
    if (journey.by !== "payment") return journey
    const { id: chargeId, dueDate } = yield* charges.issue(issuer, journey.charge)
    return { by: "payment" as const, chargeId, ...(dueDate && { dueDate }) }
  })

  const findCompany = Effect.fnUntraced(function* (issuer: Cnpj) {
    const entry = yield* directory.find(issuer)
    if (entry === undefined) return yield* new CompanyNotFound({ issuer })
    const missing = missingPrerequisites(entry.company)
    return missing.length > 0 ? yield* new IssuerNotEligible({ issuer, missing }) : entry.company
  })

  /** A repeat finds its first answer; one whose bank had not answered is carried on. */
  const repeat = Effect.fnUntraced(function* (known: Recurrence, request: RecurrenceRequest) {
    const { issuer, id } = known
    if (!isSameOffer(known, request)) return yield* new RecurrenceConflict({ issuer, id })
    return known._tag === "Requested" ? yield* carryOn(known, yield* findCompany(issuer)) : known
  })

  const offer = Effect.fnUntraced(function* (issuer: Cnpj, request: RecurrenceRequest) {
    const known = yield* recurrences.find(issuer, request.id)
    if (known !== undefined) return yield* repeat(known, request)
    const company = yield* findCompany(issuer)
    yield* check(company, request)
    const now = yield* Clock.currentTimeMillis
    const journey = yield* prepareJourney(issuer, request, now)
    const recurrence: RequestedRecurrence = {
      ...request,
      _tag: "Requested",
      issuer,
      journey,
      createdAt: now,
      version: 1,
      updatedAt: now,
      nextCycle: 1,
    }
    const audit = yield* ifNamed({ kind: "recurrenceOffered", recurrenceId: request.id } as const)
    const insertion = yield* recurrences.insert(recurrence, now + offerCheckMs, audit)
    switch (insertion._tag) {
      case "Inserted":
        return yield* propose(recurrence, company, { isFresh: true })
      case "Exists":
        return yield* repeat(insertion.recurrence, request)
      case "ContractTaken":
        return yield* new RecurrenceConflict({ issuer, id: request.id })
    }
  })

  return { offer, carryOn, findCompany }
}

/** Offering recurrences. */
export type OfferRecurrence = ReturnType<typeof makeOfferRecurrence>
