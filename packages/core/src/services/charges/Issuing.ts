import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { brasiliaDate } from "../../model/calendar/BrasiliaTime.ts"
import { chargeTxid } from "../../model/charge/ChargeId.ts"
import type { ChargeRequest } from "../../model/charge/ChargeRequest.ts"
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
import { ChargeConflict } from "../../model/charge/chargeErrors.ts"
import { CompanyNotFound } from "../../model/directory/directoryErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { logAndContinue } from "../../runtime/telemetry.ts"
import { Changing } from "./Changing.ts"
import { chargeOrder } from "./chargeOrder.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { isKeyOfAnother } from "./Receivers.ts"

/** A repeated request returns its first answer before any rule can refuse it. */
export class Issuing {
  readonly #ports: ChargePorts
  readonly #changing: Changing

  constructor(ports: ChargePorts) {
    this.#ports = ports
    this.#changing = new Changing(ports)
  }

  readonly issue = (issuer: Cnpj, request: ChargeRequest) =>
    this.#ports.processor.locality === "local"
      ? this.#issueOnce(issuer, request)
      : Effect.flatMap(this.#findRepeated(issuer, request), (known) =>
          known === undefined ? this.#issueOnce(issuer, request) : Effect.succeed(known),
        )

  #issueOnce(issuer: Cnpj, request: ChargeRequest) {
    return Effect.catch(this.#issueNew(issuer, request), (refusal) => {
      const repeated = Effect.flatMap(this.#findRepeated(issuer, request), (known) =>
        known === undefined ? Effect.fail(refusal) : Effect.succeed(known),
      )
      // The store fails only after the registration.
      const isSure = refusal._tag === "StoreUnavailable"
      return isSure || refusal._tag === "ProcessorUnavailable"
        ? Effect.tapErrorTag(repeated, "ChargeConflict", () => this.#putBack(issuer, request, isSure))
        : repeated
    })
  }

  #putBack(issuer: Cnpj, request: ChargeRequest, isSure: boolean) {
    return Effect.flatMap(this.#ports.store.find(issuer, request.id), (stored) =>
      stored === undefined ? Effect.void : this.#changing.restore(stored, request, isSure),
    ).pipe(logAndContinue("The stored terms of a charge could not be put back yet"))
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
    const order = chargeOrder(companyAtIssue(issue, now), request, { payableUntil, requestedAt: now })
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
    const repeated = decideRepeat(stored, request, yield* Clock.currentTimeMillis)
    const isConflict = Result.isFailure(repeated) && repeated.failure._tag === "ChargeConflict"
    if (isConflict) yield* this.#putBack(issuer, request, true)
    return yield* Effect.fromResult(repeated)
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
}

const hasPassed = (refusal: IssueRefusal, now: number): boolean =>
  refusal._tag === "DueDateOutOfRange"
    ? refusal.dueDate < brasiliaDate(now)
    : refusal._tag === "InvalidFees" && refusal.reason === "passed"
