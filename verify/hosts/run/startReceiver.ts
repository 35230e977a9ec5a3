import type { PlainEvent } from "@pixcharge/callback-fetch/receiver"
import { EventReceiver } from "../../world/index.ts"

/** What a host is told, and what has come. */
export interface Receiver {
  readonly env: Readonly<Record<string, string>>
  /** Resolves once a paid event of this charge has come. */
  readonly paid: (chargeId: string) => Promise<void>
  readonly close: () => void
}

/** A receiver of events on this machine, which checks their signatures. */
export const startReceiver = async (): Promise<Receiver> => {
  const events: Array<PlainEvent> = []
  const waiting = new Set<() => void>()
  const receiver = await EventReceiver.start((event) => {
    if (typeof event === "string") return 401
    events.push(event)
    for (const check of waiting) check()
    return 204
  })
  return {
    env: { PIX_CALLBACK_URL: `${receiver.origin}/pix`, PIX_CALLBACK_SECRET: EventReceiver.secret },
    paid: (chargeId) =>
      new Promise((resolve) => {
        const check = () => {
          if (!events.some((event) => event.kind === "paid" && event.payment.chargeId === chargeId)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    close: () => receiver.close(),
  }
}
