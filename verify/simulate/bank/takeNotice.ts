import type { ReceivedPayment } from "@pixcharge/core"
import { keyHolder } from "../names.ts"
import type { Bank, LedgerPayment } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import type { HostServices, Serving } from "../Host.ts"
import { receivedPayment } from "./bankProcessor.ts"
import { callWebhook } from "./callWebhook.ts"
import { recordNotice } from "./recordNotice.ts"

export interface Notice {
  readonly payment: LedgerPayment
  readonly grouped: number
  readonly host: number
  /** True if the host trusts the notice because it learned of the payment without the bank's webhook. */
  readonly isPlain: boolean
}

/** Gives a notice to a process. Fails if the bank must repeat the notice. */
export type TakeNotice = (
  host: Serving,
  notice: Notice,
) => Effect.Effect<ReadonlyArray<ReceivedPayment>, unknown, HostServices>

export const takeDirectly: TakeNotice = ({ bank }, { payment, isPlain }) =>
  Effect.map(recordNotice(bank, keyHolder(payment.pixKey), payment, isPlain), (received) =>
    received === undefined ? [] : [received],
  )

/** The bank calls the process's webhook with the payment and some earlier ones of the same key. */
export const takeByWebhook =
  (bank: Bank): TakeNotice =>
  (_, { payment, grouped }) =>
    Effect.suspend(() => {
      const { pixKey } = payment
      const issuer = keyHolder(pixKey)
      const others = [...bank.ledger.payments.values()].filter((one) => one !== payment && one.pixKey === pixKey)
      const payments = [payment, ...others.toReversed().slice(0, grouped)]
      const recorded = payments.map((one) => receivedPayment({ ...one, issuer }))
      return Effect.flatMap(callWebhook(bank, issuer, payments), (status) => {
        if (status === 200) return Effect.succeed(recorded)
        return status === 503 ? Effect.fail(status) : Effect.die(`a notice of the bank is refused with ${status}`)
      })
    })
