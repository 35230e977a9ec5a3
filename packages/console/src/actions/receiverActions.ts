import { normalizeTaxId } from "@pixcharge/core/party"
import type { Action } from "./act.ts"

/** Makes the receiver fail, or take events again. */
export const switchReceiver: Action = async ({ receiver, feed }, { form }) => {
  receiver.isFailing = form["failing"] === "yes"
  const text = receiver.isFailing
    ? "The receiver answers 500 from now on: events are sent again, later and later."
    : "The receiver takes events again."
  feed.send(text)
  return { tone: receiver.isFailing ? "warn" : "good", text }
}

/** Sends a delivered or dead event again. */
export const resendEvent: Action = async ({ pix, company, feed }, { params: { eventId = "" } }) => {
  const count = await pix.events.replay(company.cnpj, { eventId })
  feed.send("An event is sent again")
  return count > 0
    ? { tone: "good", text: "The event is sent again, under the same id." }
    : { tone: "warn", text: "Nothing was sent: the event waits already, or is no longer true." }
}

/** Sends a test event to the company's own endpoint. */
export const pingReceiver: Action = async ({ pix, company }) => {
  await pix.events.ping(company.cnpj, `callback-${normalizeTaxId(company.cnpj)}`)
  return { tone: "good", text: "A test event is on its way." }
}

/** Forgets calls and deliveries; charges and events stay. */
export const forget: Action = async ({ calls, receiver }) => {
  calls.clear()
  receiver.clear()
  return { tone: "good", text: "Calls and arrived events were forgotten." }
}
