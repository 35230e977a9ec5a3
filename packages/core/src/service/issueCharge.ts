import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { brasiliaDateOf } from "../calendar/BrasiliaTime.ts"
import type { Holidays } from "../calendar/Holidays.ts"
import type { PendingCharge } from "../charge/Charge.ts"
import { type ChargeRequest, latestDueDate } from "../charge/ChargeRequest.ts"
import { nextPaymentCheckAt } from "../charge/checkSchedule.ts"
import { txidOf } from "../charge/ChargeId.ts"
import { decideRepeat } from "../charge/decideRepeat.ts"
import { expiryOf } from "../charge/Expiry.ts"
import type { InvalidFees } from "../charge/Fees.ts"
import { checkReductions } from "../charge/LateFees.ts"
import { CompanyNotFound, DueDateOutOfRange, IssuerNotEligible } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Company } from "../party/Company.ts"
import { missingPrerequisites } from "../party/Eligibility.ts"
import type { ChargeStore } from "../ports/ChargeStore.ts"
import type { CompanyDirectory } from "../ports/CompanyDirectory.ts"
import type { HolidayCalendar } from "../ports/HolidayCalendar.ts"
import type { PaymentProcessor } from "../ports/PaymentProcessor.ts"
import type { TransactionIds } from "../ports/TransactionIds.ts"

/** What issuing needs. */
export interface IssuePorts {
  readonly store: ChargeStore["Service"]
  readonly directory: CompanyDirectory["Service"]
  readonly processor: PaymentProcessor["Service"]
  readonly calendar: (typeof HolidayCalendar)["Service"]
  readonly transactionIds: (typeof TransactionIds)["Service"]
}

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
  const earliest = brasiliaDateOf(now)
  const latest = latestDueDate(earliest)
  if (dueDate < earliest || dueDate > latest) {
    return Result.fail(new DueDateOutOfRange({ dueDate, earliest, latest }))
  }
  const { fees } = company
  return fees === undefined ? Result.void : checkReductions({ amountCents, dueDate, fees }, earliest, holidays)
}

/**
 * Register, then one insert (design §2). A request whose id is known finds its first answer before anything can refuse
 * it; with a local processor the insert itself finds it, so that a new charge costs one write and no look-up.
 */
export const makeIssue = ({ store, directory, processor, calendar, transactionIds }: IssuePorts) => {
  const issueNew = Effect.fnUntraced(function* (issuer: Cnpj, request: ChargeRequest) {
    const now = yield* Clock.currentTimeMillis
    const entry = yield* directory.find(issuer)
    if (entry === undefined) return yield* new CompanyNotFound({ issuer })
    const { company } = entry
    const holidays = calendar.of(company)
    yield* Effect.fromResult(checkIssue(company, request, holidays, now))

    const { id, amountCents, dueDate, payer } = request
    const txid = txidOf(id)
    const expiryFrom = (createdAt: number) =>
      expiryOf({ createdAt, graceDays: company.graceDays, holidays, ...(dueDate && { dueDate }) })
    const asked = payer ?? company.genericPayer
    const registered = yield* processor.register({
      company,
      id,
      txid,
      amountCents,
      requestedAt: now,
      payableUntil: expiryFrom(now).payableUntil,
      ...(dueDate && { dueDate }),
      ...(asked && { payer: asked }),
    })
    const { createdAt, brCode } = registered
    const { payableUntil, watchUntil } = expiryFrom(createdAt)
    const checkAt = nextPaymentCheckAt({ createdAt, watchUntil }, now)
    const charge: PendingCharge = {
      _tag: "Pending",
      issuer,
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
      ...(dueDate && company.fees && { fees: company.fees }),
      ...(checkAt !== undefined && { checkAt }),
    }
    const insertion = yield* store.insert(charge)
    const stored = insertion._tag === "Inserted" ? charge : insertion.charge
    // A charge taken over from the processor may have expired since it was made there.
    return yield* Effect.fromResult(decideRepeat(stored, request, now))
  })

  const repeat = Effect.fnUntraced(function* (issuer: Cnpj, request: ChargeRequest) {
    const known = yield* store.find(issuer, request.id)
    if (known === undefined) return undefined
    return yield* Effect.fromResult(decideRepeat(known, request, yield* Clock.currentTimeMillis))
  })

  return Effect.fnUntraced(function* (issuer: Cnpj, request: ChargeRequest) {
    if (processor.locality === "remote") {
      const known = yield* repeat(issuer, request)
      if (known !== undefined) return known
    }
    return yield* Effect.catch(issueNew(issuer, request), (refusal) =>
      Effect.flatMap(repeat(issuer, request), (known) =>
        known === undefined ? Effect.fail(refusal) : Effect.succeed(known),
      ),
    )
  })
}
