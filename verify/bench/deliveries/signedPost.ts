import { CallbackDelivery } from "@pixcharge/core"
import { chargeEvent } from "@pixcharge/core/charges"
import type { Endpoint } from "@pixcharge/core/directory"
import { aPaidCharge, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import { benchSecret, bounds, openCallbacks } from "./Contender.ts"

const event = chargeEvent(aPaidCharge(aPendingCharge()), "Loja")

/**
 * Makes a function that sends a signed event with this id. It rejects unless the answer is a 2xx. All contenders have the
 * same limit of POSTs under way, with any size of batches.
 */
export const makeSignedPost = async (url: string): Promise<(id: string) => Promise<void>> => {
  const { deliver } = await ManagedRuntime.make(openCallbacks()).runPromise(CallbackDelivery)
  const { withPermit } = Semaphore.makeUnsafe(bounds.posts)
  const endpoint: Endpoint = {
    id: "peer",
    target: { _tag: "Http", url, secrets: [Redacted.make(benchSecret)] },
    kinds: ["paid"],
    status: "enabled",
  }
  return async (id) => {
    const sent = deliver({ ...event, id: id as typeof event.id }, endpoint, 1)
    const { _tag } = await Effect.runPromise(withPermit(sent))
    if (_tag !== "Delivered") throw new Error(`the receiver's answer counts as ${_tag}`)
  }
}
