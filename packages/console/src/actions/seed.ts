import { seedMonth } from "../seed/seedMonth.ts"
import type { Action } from "./act.ts"
import { formProblem } from "./formProblem.ts"

/** Makes a month of charges of the form's number. */
export const seed: Action = async (context, { form }) => {
  const number = form["seed"]?.trim() ?? ""
  if (!/^\d{1,9}$/.test(number)) throw formProblem("The number must be a whole one, from 0 to 999999999.")
  if (context.isSeeding) throw formProblem("A month of charges is being made already: wait until it is there.")
  const { charges } = await seedMonth(context, number)
  context.feed.send("A month of charges was made")
  return charges === 0
    ? { tone: "info", text: "This month is there already: take another number for another one." }
    : { tone: "good", text: `${charges} charges of thirty days were made.` }
}
