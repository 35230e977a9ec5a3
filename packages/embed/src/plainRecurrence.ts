import type { LocalDate } from "@pixcharge/core/calendar"
import type {
  ApprovedRecurrence,
  EndedRecurrence,
  Journey,
  OfferedRecurrence,
  Recurrence,
  RecurrenceEnd,
  RequestedRecurrence,
} from "@pixcharge/core/recurrence"
import { addIso, type WithIso } from "./plain.ts"

/**
 * Where a recurrence stands: `requested` until the bank has answered, `offered` until the payer has decided, `approved` while its cycles
 * are charged, `ending` until the bank has confirmed the company's end, and `ended`.
 */
export type RecurrenceStatus = Lowercase<Recurrence["_tag"]>

type OpenJourney = Exclude<Journey, { readonly by: "payment" }>

type WithUntil<J extends OpenJourney> = J extends OpenJourney ? J & { readonly untilIso: string } : never

type PlainJourney = Exclude<Journey, OpenJourney> | WithUntil<OpenJourney>

/**
 * A recurrence as a plain host sees it. `firstDueDate`: when its first cycle is due if the payer authorises it now. `nextDueDate`: when
 * the next cycle is due that has no charge yet. Both are absent where no cycle can be charged any more.
 */
export type PlainRecurrence<R extends Recurrence = Recurrence> = R extends Recurrence
  ? Omit<WithIso<R>, "journey" | "end"> & {
      readonly status: Lowercase<R["_tag"]>
      readonly journey: PlainJourney
    } & (R extends ApprovedRecurrence ? { readonly nextDueDate?: LocalDate } : unknown) &
      (R extends RequestedRecurrence | OfferedRecurrence ? { readonly firstDueDate?: LocalDate } : unknown) &
      (R extends OfferedRecurrence ? unknown : { readonly brCode?: undefined }) &
      (R extends EndedRecurrence ? { readonly end: RecurrenceEnd & { readonly atIso: string } } : unknown)
  : never

const iso = (moment: number): string => new Date(moment).toISOString()

/** The recurrence with its status, its next due date, and each instant in ISO 8601 besides. */
export const toPlainRecurrence = (recurrence: Recurrence, dueDate: LocalDate | undefined): PlainRecurrence => {
  const { _tag, journey } = recurrence
  const plain = {
    ...addIso(recurrence),
    status: _tag.toLowerCase(),
    ...(dueDate && { [_tag === "Approved" ? "nextDueDate" : "firstDueDate"]: dueDate }),
    ...(journey.by !== "payment" && { journey: { ...journey, untilIso: iso(journey.until) } }),
    ...(_tag === "Ended" && { end: { ...recurrence.end, atIso: iso(recurrence.end.at) } }),
  }
  return plain as PlainRecurrence
}
