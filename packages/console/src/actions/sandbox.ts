import { addDays, brasiliaDate, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import { normalizeTaxId } from "@pixcharge/core/party"
import type { PlainCharge, SandboxPix } from "@pixcharge/embed"
import { formatsFor } from "@pixcharge/web"
import { clockSteps } from "../pages/frame.ts"
import { seedMonth } from "../seed/seedMonth.ts"
import { type Action, type ActionRequest, formProblem } from "./act.ts"

const halfDay = 43_200_000

const pastDue = (dueDate: NonNullable<PlainCharge["dueDate"]>, now: number): number => {
  const after = startOfBrasiliaDay(addDays(dueDate, 1)) + halfDay
  return after > now ? after : startOfBrasiliaDay(addDays(brasiliaDate(now), 1)) + halfDay
}

const readTarget = async (pix: SandboxPix, cnpj: string, { form }: ActionRequest): Promise<number> => {
  const now = pix.clock.now()
  const step = clockSteps.find(([text]) => text === form["by"])
  if (step !== undefined) return now + step[1]
  const { payableUntil, dueDate } = await pix.find(cnpj, form["charge"] ?? "")
  if (form["to"] === "expiry") return payableUntil + 1_000
  if (form["to"] === "pastDue" && dueDate !== undefined) return pastDue(dueDate, now)
  throw formProblem("The clock can't be moved there.")
}

export const moveClock: Action = async ({ pix, company, feed }, request) => {
  const at = await readTarget(pix, company.cnpj, request)
  await pix.clock.advance(Math.max(at - pix.clock.now(), 0))
  const text = `It is ${formatsFor("en").dateTime(pix.clock.now())} in Brasília now.`
  feed.send(text)
  return { tone: "info", text }
}

export const switchReceiver: Action = async ({ receiver, feed }, { form }) => {
  receiver.isFailing = form["failing"] === "yes"
  const text = receiver.isFailing
    ? "The receiver answers 500 from now on: events are sent again at growing intervals."
    : "The receiver accepts events again."
  feed.send(text)
  return { tone: receiver.isFailing ? "warn" : "good", text }
}

export const resendEvent: Action = async ({ pix, company, feed }, { params: { eventId = "" } }) => {
  const count = await pix.events.replay(company.cnpj, { eventId })
  feed.send("An event is sent again")
  return count > 0
    ? { tone: "good", text: "The event is sent again, under the same id." }
    : { tone: "warn", text: "The event wasn't sent again: it is already waiting, or its payment was returned." }
}

export const pingReceiver: Action = async ({ pix, company }) => {
  await pix.events.ping(company.cnpj, `callback-${normalizeTaxId(company.cnpj)}`)
  return { tone: "good", text: "A test event is on its way." }
}

/** Clears the lists of calls and received events. Charges and their events stay. */
export const forget: Action = async ({ calls, receiver }) => {
  calls.clear()
  receiver.clear()
  return { tone: "good", text: "The lists of calls and received events were cleared." }
}

export const seed: Action = async (context, { form }) => {
  const number = form["seed"]?.trim() ?? ""
  if (!/^\d{1,9}$/.test(number)) throw formProblem("The number must be a whole number from 0 to 999999999.")
  if (context.isSeeding) throw formProblem("A month of charges is already being made: wait until it is complete.")
  const { charges } = await seedMonth(context, number)
  context.feed.send("A month of charges was made")
  return charges === 0
    ? { tone: "info", text: "This month already exists: choose another number." }
    : { tone: "good", text: `${charges} charges of thirty days were made.` }
}
