import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { brasiliaDate } from "../../calendar/BrasiliaTime.ts"
import { CompanyNotFound } from "../../directory/directoryErrors.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import { logAndContinue } from "../../runtime/telemetry/logAndContinue.ts"
import type { ChargePorts } from "../ChargePorts.ts"
import { makeIsKeyOfAnother } from "../payments/isKeyOfAnother.ts"
import { ChargeConflict } from "../rules/chargeErrors.ts"
import type { ChargeTerms } from "../rules/Charge.ts"
import type { ChargeRequest } from "../rules/ChargeRequest.ts"
import { decideRepeat } from "../rules/decideRepeat.ts"
import { chargeTxid } from "../rules/ChargeId.ts"
import { checkIssue, type Issue, issueExpiry, newCharge } from "../rules/Issue.ts"
import { chargeOrder } from "./chargeOrder.ts"
import { makeRestoreTerms } from "./restoreTerms.ts"

/**
 * Register, then one insert. A request whose id is known finds its first answer before anything can refuse it; with a
 * local processor the insert itself finds it, so that a new charge costs one write and no look-up.
 */
export const makeIssue = ({ store, checks, directory, processor, calendar, transactionIds }: ChargePorts) => {
  const isKeyOfAnother = makeIsKeyOfAnother({ directory })
  const restoreTerms = makeRestoreTerms({ processor, directory, calendar })

  /** An order with other terms than the stored charge's may have changed the processor's charge, even if it was refused. */
  const restore = Effect.fnUntraced(function* ({ issuer, id }: Pick<ChargeTerms, "issuer" | "id">) {
    const stored = yield* store.find(issuer, id)
    if (processor.locality === "local" || stored?._tag !== "Pending") return
    // First the check, for this process may die before the processor answers.
    yield* checks.scheduleCharge(stored, yield* Clock.currentTimeMillis)
    yield* restoreTerms(stored)
  })

  /** A charge whose due date has passed isn't made any more. Where the processor has it, restored books take it over. */
  const isTakenOver = (issue: Issue, refusal: { readonly _tag: string }, now: number) => {
    const { company, request } = issue
    const isPast = (request.dueDate ?? "") < brasiliaDate(now)
    if (processor.locality === "local" || refusal._tag !== "DueDateOutOfRange" || !isPast) return Effect.succeed(false)
    const made = { txid: chargeTxid(company.cnpj, request.id), createdAt: now, brCode: "" }
    const charge = newCharge(issue, made, { now, transactionId: "", isSwept: true })
    return Effect.map(processor.lookup(charge), ({ status }) => status !== "unknown")
  }

  const issueNew = Effect.fnUntraced(function* (issuer: Cnpj, request: ChargeRequest) {
    const now = yield* Clock.currentTimeMillis
    const entry = yield* directory.find(issuer)
    if (entry === undefined) return yield* new CompanyNotFound({ issuer })
    const { company } = entry
    const issue = { company, holidays: calendar.forCompany(company), request }
    const checked = checkIssue(issue, now)
    if (Result.isFailure(checked) && !(yield* isTakenOver(issue, checked.failure, now))) return yield* checked.failure
    const { payableUntil } = issueExpiry(issue, now)
    // Not by a spread: on Node 20 each object would have a hidden class of its own.
    const terms = Object.assign({}, request, { payableUntil })
    const registered = yield* processor.register(chargeOrder(company, terms, now))
    const { pixKey } = registered
    if (pixKey !== company.pixKey && (yield* isKeyOfAnother(issuer, pixKey))) {
      return yield* new ChargeConflict({ issuer, id: request.id })
    }
    const isSwept = processor.locality === "remote"
    const charge = newCharge(issue, registered, { now, transactionId: transactionIds.next(), isSwept })
    const insertion = yield* store.insert(charge)
    const stored = insertion._tag === "Inserted" ? charge : insertion.charge
    // A charge taken over from the processor may have expired since it was made there, or while the processor answered.
    return yield* Effect.fromResult(decideRepeat(stored, request, yield* Clock.currentTimeMillis))
  })

  const findRepeated = Effect.fnUntraced(function* (issuer: Cnpj, request: ChargeRequest) {
    const known = yield* store.find(issuer, request.id)
    if (known === undefined) return undefined
    return yield* Effect.fromResult(decideRepeat(known, request, yield* Clock.currentTimeMillis))
  })

  /** Issues a new charge. If that fails and another call has stored the charge meanwhile, that one is the answer. */
  const issueOnce = (issuer: Cnpj, request: ChargeRequest) =>
    Effect.catch(issueNew(issuer, request), (refusal) =>
      Effect.flatMap(findRepeated(issuer, request), (known) =>
        known === undefined ? Effect.fail(refusal) : Effect.succeed(known),
      ),
    )

  /** Issues a new charge; after a conflict the processor gets the stored terms again. */
  const issueOrRestore = (issuer: Cnpj, request: ChargeRequest) =>
    Effect.tapErrorTag(issueOnce(issuer, request), "ChargeConflict", () =>
      logAndContinue("The stored terms of a charge could not be restored at the processor")(
        restore({ issuer, id: request.id }),
      ),
    )

  return (issuer: Cnpj, request: ChargeRequest) =>
    processor.locality === "local"
      ? issueOrRestore(issuer, request)
      : Effect.flatMap(findRepeated(issuer, request), (known) =>
          known === undefined ? issueOrRestore(issuer, request) : Effect.succeed(known),
        )
}
