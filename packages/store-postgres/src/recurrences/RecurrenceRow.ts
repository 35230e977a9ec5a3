import type { RecurrenceChange } from "@pixcharge/core/recurring"
import {
  type Journey,
  personalRecurrenceFields,
  type Recurrence,
  type RecurrenceTerms,
  type RequestedRecurrence,
} from "@pixcharge/core/recurrence"
import { auditColumns, type Author } from "../sql/Author.ts"
import { payerColumns, tagFrom } from "../charges/ChargeRow.ts"
import { type AnyField, bigint, Columns, instant, integer, json, text, uuid } from "../sql/Columns.ts"
import type { Row } from "../sql/Database.ts"
import { secondsOrNull } from "../sql/values.ts"

/** The terms that are stored in one JSON value, with the journey. */
const plainTerms = ["title", "period", "startDate", "endDate", "retries", "retryOn"] as const

type StoredTerms = Pick<RecurrenceTerms, (typeof plainTerms)[number]> & { readonly journey: WithoutUntil<Journey> }

type WithoutUntil<J extends Journey> = J extends Journey ? Omit<J, "until"> : never

export const recurrenceTerms = new Columns<
  Omit<RecurrenceTerms, keyof StoredTerms> & { readonly terms: StoredTerms; readonly offeredUntil?: number }
>(
  {
    issuer: text,
    id: uuid,
    contract: text,
    terms: json,
    offeredUntil: instant,
    amountCents: bigint,
    floorCents: bigint,
    payer: payerColumns,
    payerErasedAt: instant,
    createdAt: instant,
  },
  { personal: personalRecurrenceFields.terms },
)

interface StoredEnd {
  readonly endRequestedAt?: number
  readonly endReason?: string
  readonly endedBy?: string
  readonly endCode?: string
  readonly endedAt?: number
}

export const recurrenceState = new Columns<
  AnyField<Recurrence, keyof RecurrenceTerms | "_tag" | "requestedAt" | "reason" | "end"> & StoredEnd
>({
  version: integer,
  updatedAt: instant,
  nextCycle: integer,
  announcedCycle: integer,
  skipped: json,
  bankId: text,
  brCode: text,
  approvedAt: instant,
  endRequestedAt: instant,
  endReason: text,
  endedBy: text,
  endCode: text,
  endedAt: instant,
})

export const newRecurrenceRow = (recurrence: RequestedRecurrence) => {
  const { until, ...journey } = { until: undefined, ...recurrence.journey }
  const plain = Object.fromEntries(plainTerms.map((name) => [name, recurrence[name]]))
  const terms = { ...plain, journey } as StoredTerms
  return {
    ...recurrenceTerms.toRow({ ...recurrence, terms, ...(until !== undefined && { offeredUntil: until }) }),
    ...stateRow(recurrence),
  }
}

const storedEnd = (recurrence: Recurrence): StoredEnd => {
  switch (recurrence._tag) {
    case "Ending":
      return { endRequestedAt: recurrence.requestedAt, ...(recurrence.reason && { endReason: recurrence.reason }) }
    case "Ended": {
      const { reason, by, code, at } = recurrence.end
      return {
        endReason: reason,
        ...(by && { endedBy: by }),
        ...(code !== undefined && { endCode: code }),
        endedAt: at,
      }
    }
    default:
      return {}
  }
}

const stateRow = (recurrence: Recurrence) => ({
  state: recurrence._tag.toLowerCase(),
  ...recurrenceState.toRow({ ...recurrence, ...storedEnd(recurrence) }),
})

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

export const recurrenceFromRow = (row: Row): Recurrence => {
  const { terms, offeredUntil: until, ...facts } = recurrenceTerms.fromRow(row)
  const { endRequestedAt, endReason, endedBy, endCode, endedAt, ...state } = recurrenceState.fromRow(row)
  const journey = { ...terms.journey, ...(until !== undefined && { until }) }
  const kept = { ...facts, ...terms, journey, ...state }
  switch (row["state"]) {
    case "ending": {
      const reason = endReason === "expired" && { reason: endReason }
      return { _tag: "Ending", ...kept, requestedAt: endRequestedAt, ...reason } as Recurrence
    }
    case "ended": {
      const end = {
        reason: endReason,
        ...(endedBy && { by: endedBy }),
        ...(endCode !== undefined && { code: endCode }),
      }
      return { _tag: "Ended", ...kept, end: { ...end, at: endedAt } } as Recurrence
    }
    default:
      return { _tag: tagFrom(row["state"]), ...kept } as Recurrence
  }
}
