import { callbackFetch } from "@pixcharge/callback-fetch"
import { CallbackDelivery } from "@pixcharge/core"
import { chargeEvent } from "@pixcharge/core/charges"
import type { Endpoint } from "@pixcharge/core/directory"
import { aPaidCharge, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { benchSecret, bounds } from "./Contender.ts"

let underWay = 0
const waiting: Array<() => void> = []

/**
 * Runs the POST once fewer than the allowed number are under way. So all contenders have the same limit, with any size of
 * batches.
 */
const withinBounds = async (post: () => Promise<void>): Promise<void> => {
  if (underWay >= bounds.posts) await new Promise<void>((resolve) => waiting.push(resolve))
  else underWay++
  try {
    await post()
  } finally {
    const next = waiting.shift()
    if (next === undefined) underWay--
    else next()
  }
}

const event = chargeEvent(aPaidCharge(aPendingCharge()), "Loja")

/** Makes a function that sends a signed event with this id. It rejects unless the answer is a 2xx. */
export const makeSignedPost = async (url: string): Promise<(id: string) => Promise<void>> => {
  const runtime = ManagedRuntime.make(callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }))
  const { deliver } = await runtime.runPromise(CallbackDelivery)
  const endpoint: Endpoint = {
    id: "peer",
    target: { _tag: "Http", url, secrets: [Redacted.make(benchSecret)] },
    kinds: ["paid"],
    status: "enabled",
  }
  return (id) =>
    withinBounds(async () => {
      const { _tag } = await Effect.runPromise(deliver({ ...event, id: id as typeof event.id }, endpoint, 1))
      if (_tag !== "Delivered") throw new Error(`the receiver's answer counts as ${_tag}`)
    })
}
