import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { brasiliaDate } from "../../model/calendar/BrasiliaTime.ts"
import type { Holidays } from "../../model/calendar/Holidays.ts"
import type { Charge, ChargeTerms } from "../../model/charge/Charge.ts"
import { type ChargeId, chargeTxid } from "../../model/charge/ChargeId.ts"
import { type ChargeRequest, immediateLifetimeSeconds } from "../../model/charge/ChargeRequest.ts"
import { payableForSeconds } from "../../model/charge/Expiry.ts"
import {
  checkIssue,
  companyAtIssue,
  decideRepeat,
  earlierFees,
  type Issue,
  issueExpiry,
  type IssueRefusal,
  newCharge,
} from "../../model/charge/Issue.ts"
import { promisedGraceDays } from "../../model/charge/LateFees.ts"
import { ChargeConflict } from "../../model/charge/chargeErrors.ts"
import { CompanyNotFound } from "../../model/directory/directoryErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { Company } from "../../model/party/Company.ts"
import type { ChargeOrder, ProcessorView } from "../../ports/PaymentProcessor.ts"
import { logAndContinue, logFailure } from "../../runtime/telemetry.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { isKeyOfAnother } from "./Receivers.ts"

/** A repeated request returns its first answer before any rule can refuse it. */
export class Issuing {
  readonly #ports: ChargePorts

  constructor(ports: ChargePorts) {
    this.#ports = ports
  }

  readonly issue = (issuer: Cnpj, request: ChargeRequest) =>
    this.#ports.processor.locality === "local"
      ? this.#issueOrRestore(issuer, request)
      : Effect.flatMap(this.#findRepeated(issuer, request), (known) =>
          known === undefined ? this.#issueOrRestore(issuer, request) : Effect.succeed(known),
        )

  #issueOrRestore(issuer: Cnpj, request: ChargeRequest) {
    return Effect.tapErrorTag(this.#issueOnce(issuer, request), "ChargeConflict", () =>
      logAndContinue("The stored terms of a charge could not be restored at the processor")(
        this.#restore(issuer, request.id),
      ),
    )
  }

  #issueOnce(issuer: Cnpj, request: ChargeRequest) {
    return Effect.catch(this.#issueNew(issuer, request), (refusal) =>
      Effect.flatMap(this.#findRepeated(issuer, request), (known) =>
        known === undefined ? Effect.fail(refusal) : Effect.succeed(known),
      ),
    )
  }

  readonly #findRepeated = Effect.fnUntraced({ self: this }, function* (issuer: Cnpj, request: ChargeRequest) {
    const known = yield* this.#ports.store.find(issuer, request.id)
    if (known === undefined) return undefined
    return yield* Effect.fromResult(decideRepeat(known, request, yield* Clock.currentTimeMillis))
  })

  readonly #issueNew = Effect.fnUntraced({ self: this }, function* (issuer: Cnpj, request: ChargeRequest) {
    const { store, directory, processor, calendar, transactionIds } = this.#ports
    const now = yield* Clock.currentTimeMillis
    const entry = yield* directory.find(issuer)
    if (entry === undefined) return yield* new CompanyNotFound({ issuer })
    const { company } = entry
    const issue = { company, holidays: calendar.forCompany(company), request }
    const checked = checkIssue(issue, now)
    const isRefused = Result.isFailure(checked) && !(yield* this.#isTakenOver(issue, checked.failure, now))
    if (isRefused) return yield* checked.failure
    const { payableUntil } = issueExpiry(issue, now)
    // Not a spread: on Node 20 each object would get its own hidden class.
    const terms = Object.assign({}, request, { payableUntil })
    const order = chargeOrder(companyAtIssue(issue, now), terms, now)
    const earlier = earlierFees(issue, now)
    const registered = yield* processor.register(earlier.length > 0 ? { ...order, earlierFees: earlier } : order)
    const { pixKey } = registered
    if (pixKey !== company.pixKey && (yield* isKeyOfAnother(directory, issuer, pixKey))) {
      return yield* new ChargeConflict({ issuer, id: request.id })
    }
    const isSwept = processor.locality === "remote"
    const charge = newCharge(issue, registered, { now, transactionId: transactionIds.next(), isSwept })
    const insertion = yield* store.insert(charge)
    const stored = insertion._tag === "Inserted" ? charge : insertion.charge
    return yield* Effect.fromResult(decideRepeat(stored, request, yield* Clock.currentTimeMillis))
  })

  /**
   * True if the processor has this charge, and its due date or a discount's date has passed since: restored books then take it
   * over.
   */
  #isTakenOver(issue: Issue, refusal: IssueRefusal, now: number) {
    const { processor } = this.#ports
    const { company, request } = issue
    if (processor.locality === "local" || !hasPassed(refusal, now)) return Effect.succeed(false)
    const made = { txid: chargeTxid(company.cnpj, request.id), createdAt: now, brCode: "" }
    const charge = newCharge(issue, made, { now, transactionId: "", isSwept: true })
    return Effect.map(processor.lookup(charge), ({ status }) => status !== "unknown")
  }

  /** An order with other terms can have changed the processor's charge, even if refused. */
  readonly #restore = Effect.fnUntraced({ self: this }, function* (issuer: Cnpj, id: ChargeId) {
    const { store, dueChecks, processor } = this.#ports
    const stored = yield* store.find(issuer, id)
    if (processor.locality === "local" || stored?._tag !== "Pending") return
    // This check restores the terms if the process dies before the processor answers.
    yield* dueChecks.scheduleCharge(stored, yield* Clock.currentTimeMillis)
    yield* restoreTerms(this.#ports, stored)
  })
}

const hasPassed = (refusal: IssueRefusal, now: number): boolean =>
  refusal._tag === "DueDateOutOfRange"
    ? refusal.dueDate < brasiliaDate(now)
    : refusal._tag === "InvalidFees" && refusal.reason === "passed"

export const chargeOrder = (
  company: Company,
  terms: Omit<ChargeRequest, "isOfContract"> & Pick<ChargeTerms, "payableUntil">,
  requestedAt: number,
): ChargeOrder => {
  const { id, amountCents, dueDate, payableUntil, messageToPayer, additionalInfo, isOneOfMany } = terms
  const payer = terms.payer ?? company.genericPayer
  return {
    company,
    id,
    txid: chargeTxid(company.cnpj, id),
    amountCents,
    requestedAt,
    payableUntil,
    ...(dueDate && { dueDate }),
    ...(payer && { payer }),
    ...(terms.payableForSeconds !== undefined && { payableForSeconds: terms.payableForSeconds }),
    ...(messageToPayer !== undefined && { messageToPayer }),
    ...(additionalInfo && { additionalInfo }),
    ...(isOneOfMany && { isOneOfMany }),
  }
}

/** True if the processor shows the stored terms. Ignores payer, fees and texts, because processors don't show them. */
export const asksForTerms = (charge: Charge, { terms }: ProcessorView): boolean =>
  terms === undefined ||
  (terms.amountCents === charge.amountCents &&
    terms.dueDate === charge.dueDate &&
    (terms.payableForSeconds === undefined || terms.payableForSeconds === payableForSeconds(charge)))

type RestorePorts = Pick<ChargePorts, "processor" | "directory" | "calendar">

/**
 * Sends the stored terms again, after another call for the id changed them. Returns whether the processor refused; the next check
 * finds any other failure.
 */
export const restoreTerms = (ports: RestorePorts, stored: Charge): Effect.Effect<boolean> =>
  Effect.catchCause(registerAgain(ports, stored), (cause) =>
    Effect.as(logFailure("Warn", `The terms of charge ${stored.id} could not be restored yet`, cause), false),
  )

const registerAgain = Effect.fnUntraced(function* ({ processor, directory, calendar }: RestorePorts, stored: Charge) {
  const entry = yield* directory.find(stored.issuer)
  if (entry === undefined) return false
  const now = yield* Clock.currentTimeMillis
  const issuer = issuerAtIssue(entry.company, stored, calendar.forCompany(entry.company))
  const order = chargeOrder(issuer, { ...stored, ...requestedValidity(stored) }, now)
  return yield* processor.change(order).pipe(
    Effect.as(false),
    Effect.catchTag("ProcessorRejected", (refusal) =>
      Effect.as(
        logFailure("Error", `The stored terms of charge ${stored.id} are refused by the processor`, refusal),
        true,
      ),
    ),
  )
})

const issuerAtIssue = ({ fees: _, ...company }: Company, charge: Charge, holidays: Holidays): Company => ({
  ...company,
  ...(charge.fees && { fees: charge.fees }),
  ...(charge.dueDate && { graceDays: promisedGraceDays(charge, holidays) ?? company.graceDays }),
})

const requestedValidity = (charge: Charge): Pick<ChargeRequest, "payableForSeconds"> => {
  const seconds = payableForSeconds(charge)
  return seconds === undefined || seconds === immediateLifetimeSeconds ? {} : { payableForSeconds: seconds }
}
