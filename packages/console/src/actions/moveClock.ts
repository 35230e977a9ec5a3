import { addDays, brasiliaDate, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import type { PlainCharge, SandboxPix } from "@pixcharge/embed"
import { formatsFor } from "@pixcharge/web"
import type { Action, ActionRequest } from "./act.ts"
import { clockSteps } from "./clockSteps.ts"
import { formProblem } from "./formProblem.ts"

const halfDay = 43_200_000

/** Noon of the day after the due date; of tomorrow, once that has passed. */
const pastDue = (dueDate: NonNullable<PlainCharge["dueDate"]>, now: number): number => {
  const after = startOfBrasiliaDay(addDays(dueDate, 1)) + halfDay
  return after > now ? after : startOfBrasiliaDay(addDays(brasiliaDate(now), 1)) + halfDay
}

const goal = async (pix: SandboxPix, cnpj: string, { form }: ActionRequest): Promise<number> => {
  const now = pix.clock.now()
  const step = clockSteps.find(([text]) => text === form["by"])
  if (step !== undefined) return now + step[1]
  const { payableUntil, dueDate } = await pix.find(cnpj, form["charge"] ?? "")
  if (form["to"] === "expiry") return payableUntil + 1_000
  if (form["to"] === "pastDue" && dueDate !== undefined) return pastDue(dueDate, now)
  throw formProblem("The clock can't be moved there.")
}

/** Moves business time forward. */
export const moveClock: Action = async ({ pix, company, feed }, request) => {
  const at = await goal(pix, company.cnpj, request)
  await pix.clock.advance(Math.max(at - pix.clock.now(), 0))
  const text = `It is ${formatsFor("en").dateTime(pix.clock.now())} in Brasília now.`
  feed.send(text)
  return { tone: "info", text }
}
