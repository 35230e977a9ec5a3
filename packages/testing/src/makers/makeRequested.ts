import { companyHolidays, PaymentProcessor } from "@pixcharge/core"
import { parseChargeRequest, type PendingCharge } from "@pixcharge/core/charges"
import { type CompanyInput, parseCompany } from "@pixcharge/core/directory"
import { checkIssue, chargeOrder, companyAtIssue, issueExpiry, newCharge } from "@pixcharge/core/internal"
import type { Company } from "@pixcharge/core/party"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { testCompany, testNow } from "../testCompany.ts"
import { checkMoment, type RequestFacts } from "./ChargeFacts.ts"

/** The default amount in centavos. */
export const defaultCents = 1_990

export const makeCompany = (fields: Partial<CompanyInput> = {}): Company =>
  Result.getOrThrow(parseCompany({ ...testCompany, ...fields }, undefined)).company

/** The charge that a sandbox issues for this request. Throws the core's error if the core refuses the request. */
export const makeRequested = ({
  company: fields,
  createdAt,
  recurrence: _,
  ...requestInput
}: RequestFacts): PendingCharge => {
  const now = checkMoment("createdAt", createdAt ?? testNow)
  const company = makeCompany(fields)
  const input = { id: crypto.randomUUID(), amountCents: defaultCents, ...requestInput }
  const request = Result.getOrThrow(parseChargeRequest(input))
  const issue = { company, holidays: companyHolidays(company), request }
  Result.getOrThrow(checkIssue(issue, now))
  const { payableUntil } = issueExpiry(issue, now)
  const order = chargeOrder(companyAtIssue(issue, now), request, { payableUntil, requestedAt: now })
  const registered = PaymentProcessor.use(({ register }) => register(order)).pipe(
    Effect.provide(sandboxProcessor()),
    Effect.runSync,
  )
  return newCharge(issue, registered, { now, transactionId: crypto.randomUUID(), isSwept: false })
}
