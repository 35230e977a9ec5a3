import type { RecurrenceChange } from "@pixcharge/core/recurring"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj, TaxId } from "@pixcharge/core/party"
import type {
  RequestedRecurrence,
  EndedBy,
  Journey,
  Recurrence,
  RecurrenceEnd,
  RecurrenceId,
  RecurrenceTerms,
} from "@pixcharge/core/recurrence"
import type { Author } from "../audit/Author.ts"
import { auditColumns } from "../audit/auditColumns.ts"
import type { Row } from "../database/Database.ts"
import {
  millisIn,
  millisOr,
  numberIfAny,
  numberIn,
  numberOr,
  secondsOrNull,
  textIn,
  textOr,
} from "../database/values.ts"

/** The terms that are one JSON value. */
type StoredTerms = Pick<RecurrenceTerms, "title" | "period" | "startDate" | "endDate" | "retries"> & {
  readonly journey: WithoutUntil<Journey>
}

type WithoutUntil<J extends Journey> = J extends Journey ? Omit<J, "until"> : never

const storedTerms = ({ title, period, startDate, endDate, retries, journey }: RecurrenceTerms): StoredTerms => {
  const terms = { title, period, startDate, ...(endDate !== undefined && { endDate }), retries }
  if (journey.by === "payment") return { ...terms, journey }
  const { until: _, ...request } = journey
  return { ...terms, journey: request }
}

/** What an insertion stores; numbers are columns, which refuse what is none. */
export const newRecurrenceRow = (recurrence: RequestedRecurrence) => ({
  issuer: recurrence.issuer,
  id: recurrence.id,
  contract: recurrence.contract,
  terms: storedTerms(recurrence),
  offered_until: "until" in recurrence.journey ? secondsOrNull(recurrence.journey.until) : null,
  amount_cents: numberIfAny(recurrence.amountCents),
  floor_cents: numberIfAny(recurrence.floorCents),
  payer_name: recurrence.payer?.name,
  payer_tax_id: recurrence.payer?.taxId,
  payer_erased_at: secondsOrNull(recurrence.payerErasedAt),
  created_at: secondsOrNull(recurrence.createdAt),
  ...stateRow(recurrence),
})

/** The columns that a move writes. */
const stateRow = (recurrence: Recurrence) => ({
  state: recurrence._tag.toLowerCase(),
  version: numberIfAny(recurrence.version),
  updated_at: secondsOrNull(recurrence.updatedAt),
  next_cycle: numberIfAny(recurrence.nextCycle),
  announced_cycle: numberIfAny(recurrence.announcedCycle),
  skipped: recurrence.skipped?.map(numberIfAny),
  bank_id: "bankId" in recurrence ? recurrence.bankId : null,
  br_code: recurrence._tag === "Offered" ? recurrence.brCode : null,
  approved_at: recurrence._tag === "Approved" ? secondsOrNull(recurrence.approvedAt) : null,
  end_requested_at: recurrence._tag === "Ending" ? secondsOrNull(recurrence.requestedAt) : null,
  ...(recurrence._tag === "Ending" && { end_reason: recurrence.reason }),
  ...(recurrence._tag === "Ended" && endRow(recurrence.end)),
})

const endRow = ({ reason, by, code, at }: RecurrenceEnd) => ({
  end_reason: reason,
  ended_by: by,
  end_code: code,
  ended_at: secondsOrNull(at),
})

/** What a commit writes of the recurrence and of the audit log. */
export const recurrenceChangeRow = (
  { issuer, id, expectedVersion, next, checkAt, audit }: RecurrenceChange,
  author: Author,
) => ({
  issuer,
  id,
  expected: expectedVersion,
  ...stateRow(next),
  check_at: secondsOrNull(checkAt),
  ...auditColumns(audit, author),
})

const journeyFromRow = (row: Row, journey: StoredTerms["journey"]): Journey =>
  journey.by === "payment" ? journey : { ...journey, until: millisIn(row, "offered_until") }

const termsFromRow = (row: Row): RecurrenceTerms => {
  const { journey, ...terms } = JSON.parse(textIn(row, "terms")) as StoredTerms
  const amountCents = numberOr(row["amount_cents"])
  const floorCents = numberOr(row["floor_cents"])
  const payerName = textOr(row["payer_name"])
  const payerErasedAt = millisOr(row["payer_erased_at"])
  return {
    issuer: textIn(row, "issuer") as Cnpj,
    id: textIn(row, "id") as RecurrenceId,
    contract: textIn(row, "contract"),
    ...terms,
    journey: journeyFromRow(row, journey),
    ...(amountCents !== undefined && { amountCents: amountCents as Cents }),
    ...(floorCents !== undefined && { floorCents: floorCents as Cents }),
    ...(payerName !== undefined && { payer: { name: payerName, taxId: textIn(row, "payer_tax_id") as TaxId } }),
    ...(payerErasedAt !== undefined && { payerErasedAt }),
    createdAt: millisIn(row, "created_at"),
  }
}

const endFromRow = (row: Row): RecurrenceEnd => {
  const by = textOr(row["ended_by"])
  const code = textOr(row["end_code"])
  return {
    reason: textIn(row, "end_reason") as RecurrenceEnd["reason"],
    ...(by !== undefined && { by: by as EndedBy }),
    ...(code !== undefined && { code }),
    at: millisIn(row, "ended_at"),
  }
}

/** The recurrence of a row of `recurrenceColumns`. */
export const recurrenceFromRow = (row: Row): Recurrence => {
  const announcedCycle = numberOr(row["announced_cycle"])
  const skipped = textOr(row["skipped"])
  const kept = {
    ...termsFromRow(row),
    version: numberIn(row, "version"),
    updatedAt: millisIn(row, "updated_at"),
    nextCycle: numberIn(row, "next_cycle"),
    ...(announcedCycle !== undefined && { announcedCycle }),
    ...(skipped !== undefined && { skipped: JSON.parse(skipped) as ReadonlyArray<number> }),
  }
  const bankId = textOr(row["bank_id"])
  const brCode = textOr(row["br_code"])
  switch (row["state"]) {
    case "requested":
      return { _tag: "Requested", ...kept }
    case "offered":
      return { _tag: "Offered", ...kept, bankId: textIn(row, "bank_id"), ...(brCode !== undefined && { brCode }) }
    case "approved":
      return { _tag: "Approved", ...kept, bankId: textIn(row, "bank_id"), approvedAt: millisIn(row, "approved_at") }
    case "ending":
      return {
        _tag: "Ending",
        ...kept,
        ...(bankId !== undefined && { bankId }),
        requestedAt: millisIn(row, "end_requested_at"),
        ...(row["end_reason"] === "expired" && { reason: "expired" }),
      }
    default:
      return { _tag: "Ended", ...kept, ...(bankId !== undefined && { bankId }), end: endFromRow(row) }
  }
}
