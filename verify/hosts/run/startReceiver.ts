import type { PlainEvent } from "@pixcharge/callback-fetch/receiver"
import { setTimeout } from "node:timers/promises"
import { EventReceiver } from "../../world/index.ts"

/** Starts a receiver on this machine that checks the signatures of events. */
export const startReceiver = async () => {
  const events: Array<PlainEvent> = []
  const receiver = await EventReceiver.start((event) => {
    if (typeof event === "string") return 401
    events.push(event)
    return 204
  })
  const isPaid = (id: string) => events.some((event) => event.kind === "paid" && event.payment.chargeId === id)
  return {
    env: { PIX_CALLBACK_URL: `${receiver.origin}/pix`, PIX_CALLBACK_SECRET: EventReceiver.secret },
    paid: async (chargeId: string): Promise<void> => {
      while (!isPaid(chargeId)) await setTimeout(20, undefined, { ref: false })
    },
    close: () => receiver.close(),
  }
}
