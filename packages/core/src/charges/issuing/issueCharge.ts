import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { brasiliaDate, type Holidays } from "../../calendar/index.ts"
import { keepDays } from "../../calendar/KeptDays.ts"
import type { ChargeTerms, PendingCharge } from "../rules/Charge.ts"
import { type ChargeRequest, latestDueDate } from "../rules/ChargeRequest.ts"
import { nextLookUpAt, nextPaymentCheckAt } from "../rules/checkSchedule.ts"
import { decideRepeat } from "../rules/decideRepeat.ts"
import { chargeExpiry } from "../rules/Expiry.ts"
import type { InvalidFees } from "../../money/Fees.ts"
import { checkReductions } from "../rules/LateFees.ts"
import { CompanyNotFound, DueDateOutOfRange, IssuerNotEligible } from "../../errors.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { Company } from "../../party/Company.ts"
import { missingPrerequisites } from "../../party/Eligibility.ts"
import type { RegisteredCharge } from "../../ports/PaymentProcessor.ts"
import { chargeOrder } from "./chargeOrder.ts"
import type { ChargePorts } from "../ChargePorts.ts"
import { makeRestoreTerms } from "./restoreTerms.ts"
import { logAndContinue } from "../../runtime/telemetry/logAndContinue.ts"

/** What must hold beyond the request's shape: a company that may issue, a due date from today on, something left to pay. */
const checkIssue = (
  company: Company,
  { dueDate, amountCents }: ChargeRequest,
  holidays: Holidays,
  now: number,
): Result.Result<void, IssuerNotEligible | DueDateOutOfRange | InvalidFees> => {
  const missing = missingPrerequisites(company)
  if (missing.length > 0) return Result.fail(new IssuerNotEligible({ issuer: company.cnpj, missing }))
  if (dueDate === undefined) return Result.void
  const earliest = brasiliaDate(now)
  const latest = latestDueDate(earliest)
  if (dueDate < earliest || dueDate > latest) {
    return Result.fail(new DueDateOutOfRange({ dueDate, earliest, latest }))
  }
  const { fees } = company
  return fees === undefined ? Result.void : checkReductions({ amountCents, dueDate, fees }, earliest, holidays)
}

/** The processor may say when it made a charge in whole seconds, by a clock of its own. */
const takenOverAfterMs = 60_000

/**
 * Register, then one insert. A request whose id is known finds its first answer before anything can refuse it; with a
 * local processor the insert itself finds it, so that a new charge costs one write and no look-up.
 */
export const makeIssue = ({ store, checks, directory, processor, calendar, transactionIds }: ChargePorts) => {
  const restoreTerms = makeRestoreTerms({ processor, directory, calendar })

  /** An order of other terms than the stored charge's may have reached the processor, whatever it answered. */
  const restore = Effect.fnUntraced(function* ({ issuer, id }: Pick<ChargeTerms, "issuer" | "id">) {
    const stored = yield* store.find(issuer, id)
    if (processor.locality === "local" || stored?._tag !== "Pending") return
    // First, for this process may die before the processor answers.
    yield* checks.scheduleCharge(stored, yield* Clock.currentTimeMillis)
    yield* restoreTerms(stored)
  })

  const expiry = (company: Company, { dueDate, payableForSeconds }: ChargeRequest, createdAt: number) =>
    chargeExpiry({
      createdAt,
      ...(payableForSeconds !== undefined && { payableForSeconds }),
      graceDays: company.graceDays,
      holidays: calendar.forCompany(company),
      ...(dueDate && { dueDate }),
    })

  const newCharge = (company: Company, request: ChargeRequest, registered: RegisteredCharge, now: number) => {
    const { id, amountCents, dueDate, payer, messageToPayer, additionalInfo } = request
    const { txid, createdAt, brCode } = registered
    const { fees } = company
    const { payableUntil, watchUntil } = expiry(company, request, createdAt)
    // Before its due date days count for a discount alone.
    const keptFrom = fees?.discount === undefined ? dueDate : brasiliaDate(createdAt)
    // One that was there before may be paid already, and its notice may have come when nobody knew it here.
    const isTakenOver = now - createdAt > takenOverAfterMs
    const checkAt = isTakenOver ? now : nextPaymentCheckAt({ createdAt, watchUntil }, now)
    const isListed = processor.locality === "remote" && !isTakenOver
    const lookUpAt = isListed ? nextLookUpAt({ createdAt, watchUntil }, now) : undefined
    const charge: PendingCharge = {
      _tag: "Pending",
      issuer: company.cnpj,
      id,
      txid,
      transactionId: transactionIds.next(),
      amountCents,
      brCode,
      createdAt,
      payableUntil,
      watchUntil,
      version: 1,
      updatedAt: now,
      returns: [],
      ...(dueDate && { dueDate }),
      ...(payer && { payer }),
      ...(messageToPayer !== undefined && { messageToPayer }),
      ...(additionalInfo && { additionalInfo }),
      ...(dueDate && fees && { fees }),
      ...(dueDate &&
        keptFrom && { closedDays: keepDays(calendar.forCompany(company), keptFrom, brasiliaDate(watchUntil)) }),
      ...(checkAt !== undefined && { checkAt }),
      ...(lookUpAt !== undefined && { lookUpAt }),
    }
    return charge
  }

  const issueNew = Effect.fnUntraced(function* (issuer: Cnpj, request: ChargeRequest) {
    const now = yield* Clock.currentTimeMillis
    const entry = yield* directory.find(issuer)
    if (entry === undefined) return yield* new CompanyNotFound({ issuer })
    const { company } = entry
    const checked = checkIssue(company, request, calendar.forCompany(company), now)
    if (Result.isFailure(checked)) return yield* checked.failure
    const { payableUntil } = expiry(company, request, now)
    // Not by a spread: on Node 20 each object would have a hidden class of its own.
    const terms = Object.assign({}, request, { payableUntil })
    const registered = yield* processor.register(chargeOrder(company, terms, now))
    const charge = newCharge(company, request, registered, now)
    const insertion = yield* store.insert(charge)
    const stored = insertion._tag === "Inserted" ? charge : insertion.charge
    // A charge taken over from the processor may have expired since it was made there, or while the processor answered.
    return yield* Effect.fromResult(decideRepeat(stored, request, yield* Clock.currentTimeMillis))
  })

  const repeat = Effect.fnUntraced(function* (issuer: Cnpj, request: ChargeRequest) {
    const known = yield* store.find(issuer, request.id)
    if (known === undefined) return undefined
    return yield* Effect.fromResult(decideRepeat(known, request, yield* Clock.currentTimeMillis))
  })

  /** Issues a charge that was not known a moment ago; one that is known by now answers instead of any refusal. */
  const issueOnce = (issuer: Cnpj, request: ChargeRequest) =>
    Effect.catch(issueNew(issuer, request), (refusal) =>
      Effect.flatMap(repeat(issuer, request), (known) =>
        known === undefined ? Effect.fail(refusal) : Effect.succeed(known),
      ),
    )

  const issueRestoring = (issuer: Cnpj, request: ChargeRequest) =>
    Effect.tapErrorTag(issueOnce(issuer, request), "ChargeConflict", () =>
      logAndContinue("A charge of which other terms were ordered could not be read")(
        restore({ issuer, id: request.id }),
      ),
    )

  return (issuer: Cnpj, request: ChargeRequest) =>
    processor.locality === "local"
      ? issueRestoring(issuer, request)
      : Effect.flatMap(repeat(issuer, request), (known) =>
          known === undefined ? issueRestoring(issuer, request) : Effect.succeed(known),
        )
}
