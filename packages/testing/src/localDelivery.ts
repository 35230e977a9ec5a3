import { callbackFetch } from "@pixcharge/callback-fetch"
import { CallbackDelivery } from "@pixcharge/core"
import type { Endpoint } from "@pixcharge/core/directory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const thisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/

const isOnThisMachine = ({ target }: Endpoint): boolean =>
  target._tag === "Http" && URL.canParse(target.url) && thisMachine.test(new URL(target.url).hostname)

/** Delivers signed callbacks over real HTTP, only to receivers on this machine. */
export const localDelivery: Layer.Layer<CallbackDelivery> = Layer.effect(
  CallbackDelivery,
  Effect.map(Layer.build(callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" })), (context) => {
    const { deliver } = Context.get(context, CallbackDelivery)
    return {
      deliver: (event, endpoint, attempt) =>
        isOnThisMachine(endpoint)
          ? deliver(event, endpoint, attempt)
          : Effect.succeed({ _tag: "Retry", reason: "tests send callbacks to 127.0.0.1 only" }),
    }
  }),
)
