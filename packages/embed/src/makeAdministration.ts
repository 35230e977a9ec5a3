import { type ChargeRequestInput, parseChargeRequest, parsePartialRefund } from "@pixcharge/core/charges"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { chargeRequestFields, checkFields, partialRefundFields } from "./checkFields.ts"
import { checkPeriod } from "./checkFilter.ts"
import type { Calls } from "./makeCalls.ts"
import { makeDirectory } from "./makeDirectory.ts"
import { makeEvents } from "./makeEvents.ts"
import { makeExceptions } from "./makeExceptions.ts"
import { makeRecurrences } from "./makeRecurrences.ts"
import { makePayers } from "./makePayers.ts"
import type { Administration } from "./pix/Administration.ts"
import { toPlainCharge, toPlainPartialRefund } from "./plain.ts"
import { toPlainNow } from "./toPlainNow.ts"
import { parseRefund } from "./parseRefund.ts"
import { recordIfNamed } from "./recordIfNamed.ts"
import type { Services } from "./services.ts"

const parseOrder = (request: ChargeRequestInput) =>
  Effect.andThen(
    checkFields("issue(issuer, request)", request, chargeRequestFields),
    Effect.fromResult(parseChargeRequest(request)),
  )

const makeIssue =
  ({ asCompany }: Calls<Services>): Administration["issue"] =>
  (issuer, request) =>
    asCompany(issuer, ({ charges, audit }, company) =>
      Effect.flatMap(parseOrder(request), (parsed) =>
        Effect.andThen(
          recordIfNamed(audit, company, { kind: "issueRequested", chargeId: parsed.id }),
          toPlainNow(charges.issue(company, parsed)),
        ),
      ),
    )

const makeRefundPart =
  ({ onCharge }: Calls<Services>): Administration["refundPart"] =>
  (issuer, id, part) =>
    onCharge(
      issuer,
      id,
      Effect.fnUntraced(function* ({ charges }, company, chargeId) {
        yield* checkFields("refundPart(issuer, id, part)", part, partialRefundFields)
        const request = yield* Effect.fromResult(parsePartialRefund(part))
        const { charge, partialRefund } = yield* charges.refundPart(company, chargeId, request)
        return {
          charge: toPlainCharge(charge, yield* Clock.currentTimeMillis),
          partialRefund: toPlainPartialRefund(partialRefund, charge.returns),
        }
      }),
    )

/** What people do, in the name of the calls' actor. */
export const makeAdministration = (calls: Calls<Services>): Administration => ({
  issue: makeIssue(calls),
  cancel: (issuer, id) =>
    calls.onCharge(issuer, id, ({ charges }, company, charge) => toPlainNow(charges.cancel(company, charge))),
  refund: (issuer, id, refund, ...surplus: ReadonlyArray<unknown>) =>
    calls.onCharge(issuer, id, ({ charges }, company, charge) =>
      Effect.flatMap(parseRefund("refund(issuer, id, refund)", refund, surplus), (reason) =>
        toPlainNow(charges.refund(company, charge, reason)),
      ),
    ),
  refundPart: makeRefundPart(calls),
  reconcile: (issuer, period) =>
    calls.asCompany(issuer, ({ reconciler, audit }, company) =>
      Effect.flatMap(checkPeriod(period), ({ from, until }) =>
        Effect.andThen(
          recordIfNamed(audit, company, { kind: "reconcileRequested", from, until }),
          reconciler.reconcile(company, { from, until }),
        ),
      ),
    ),
  exceptions: makeExceptions(calls),
  directory: makeDirectory(calls),
  events: makeEvents(calls),
  recurrences: makeRecurrences(calls),
  payers: makePayers(calls),
})
