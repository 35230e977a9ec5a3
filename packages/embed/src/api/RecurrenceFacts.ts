import { InvalidOption } from "@pixcharge/core"
import { type LocalDate, parseLocalDate } from "@pixcharge/core/calendar"
import { addIso, anObject, type FieldsOf, type WithIso } from "@pixcharge/core/internal"
import type {
  ApprovedRecurrence,
  EndedRecurrence,
  Journey,
  OfferedRecurrence,
  Recurrence,
  RecurrenceEnd,
  RequestedRecurrence,
} from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import { checkFields, isPayable } from "./checkFields.ts"

/** The host's terms for one cycle. */
export interface CycleInput {
  /** Counted from 1, as in the event `cycle-due`. */
  readonly cycle: number
  /** Integer cents; the recurrence's amount if it is fixed. */
  readonly amountCents: number
  /** `YYYY-MM-DD`, a day of the cycle; by default its first day. */
  readonly dueDate?: string | undefined
}

const fields: FieldsOf<CycleInput> = { cycle: true, amountCents: true, dueDate: true }
const call = "recurrences.charge(issuer, id, { cycle, amountCents, dueDate })"

const flaw = (made: string, text: string) => new InvalidOption({ message: `${made}: ${text}.` })

const isCycleNumber = (cycle: unknown): cycle is number => Number.isSafeInteger(cycle) && Number(cycle) >= 1

const parseCycleNumber = (made: string, cycle: unknown): Effect.Effect<number, InvalidOption> =>
  isCycleNumber(cycle) ? Effect.succeed(cycle) : Effect.fail(flaw(made, "cycle must be a whole number from 1"))

/** A cycle, counted from 1, or the first and last of several. */
export type SkippedCycles = number | { readonly cycles: readonly [from: number, to: number] }

const skipCall = "recurrences.skip(issuer, id, cycles)"

export const parseSkipped = Effect.fnUntraced(function* (given: SkippedCycles) {
  if (typeof given === "number") {
    const cycle = yield* parseCycleNumber(skipCall, given)
    return [cycle, cycle] as const
  }
  if (!anObject.holds(given))
    return yield* flaw(skipCall, "the third argument is a cycle's number or { cycles: [from, to] }")
  yield* checkFields(skipCall, given, { cycles: true })
  const { cycles } = given
  const isPair = Array.isArray(cycles) && cycles.length === 2 && cycles.every(isCycleNumber)
  if (isPair && cycles[0] <= cycles[1]) return [cycles[0], cycles[1]] as const
  return yield* flaw(
    skipCall,
    "cycles must be [from, to], two whole numbers from 1, the second not less than the first",
  )
})

export const parseDay = (
  made: string,
  name: string,
  day: unknown,
): Effect.Effect<LocalDate | undefined, InvalidOption> =>
  day === undefined
    ? Effect.succeed(undefined)
    : Effect.mapError(Effect.fromResult(parseLocalDate(day as string)), () =>
        flaw(made, `${name} must be an existing day, written YYYY-MM-DD, or left out`),
      )

export const parseCycle = Effect.fnUntraced(function* (input: CycleInput) {
  if (!anObject.holds(input)) return yield* flaw(call, "the third argument is an object")
  yield* checkFields(call, input, fields)
  const cycle = yield* parseCycleNumber(call, input.cycle)
  const { amountCents } = input
  if (!isPayable(amountCents)) {
    return yield* flaw(call, "amountCents must be a whole number of centavos from 1 to 999999999999")
  }
  const dueDate = yield* parseDay(call, "dueDate", input.dueDate)
  return { cycle, amountCents, ...(dueDate && { dueDate }) }
})

/**
 * `requested` until the bank has answered, `offered` until the payer has decided, `approved` while its cycles are charged,
 * `ending` until the bank has confirmed the company's end, and `ended`.
 */
export type RecurrenceStatus = Lowercase<Recurrence["_tag"]>

type OpenJourney = Exclude<Journey, { readonly by: "payment" }>

type WithUntil<J extends OpenJourney> = J extends OpenJourney ? J & { readonly untilIso: string } : never

type PlainJourney = Exclude<Journey, OpenJourney> | WithUntil<OpenJourney>

/**
 * A recurrence as a plain host sees it. `firstDueDate` is the first cycle's due date if the payer authorises now. `nextDueDate`
 * is the due date of the next cycle without a charge. Both are absent once no cycle can be charged.
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
