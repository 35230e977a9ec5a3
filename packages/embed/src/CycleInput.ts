import { InvalidOption } from "@pixcharge/core"
import { type LocalDate, parseLocalDate } from "@pixcharge/core/calendar"
import { anObject, type FieldsOf } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import { checkFields } from "./checkFields.ts"
import { isPayable } from "./PaymentPlayInput.ts"

/** What a host says of one cycle. */
export interface CycleInput {
  /** Counted from 1, as the event `cycle-due` names it. */
  readonly cycle: number
  /** Integer cents; the recurrence's own amount where it has a fixed one. */
  readonly amountCents: number
  /** `YYYY-MM-DD`, a day of the cycle; by default its first. */
  readonly dueDate?: string | undefined
}

const fields: FieldsOf<CycleInput> = { cycle: true, amountCents: true, dueDate: true }
const call = "recurrences.charge(issuer, id, { cycle, amountCents, dueDate })"

const flaw = (made: string, text: string) => new InvalidOption({ message: `${made}: ${text}.` })

/** The number of a cycle, as a call got it. */
export const parseCycleNumber = (made: string, cycle: unknown): Effect.Effect<number, InvalidOption> =>
  typeof cycle === "number" && Number.isSafeInteger(cycle) && cycle >= 1
    ? Effect.succeed(cycle)
    : Effect.fail(flaw(made, "cycle must be a whole number from 1"))

/** A day, as a call got it; undefined for none. */
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

/** What a host says of a cycle, checked. Fails with `InvalidOption`. */
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
