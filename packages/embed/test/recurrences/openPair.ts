import { sandboxBank } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { openShop } from "./recurringShop.ts"

/** A memory store that outlives its instances. */
export const openStore = async () => {
  const scope = Effect.runSync(Scope.make())
  const context = await Effect.runPromise(Layer.buildWithScope(memoryStore(), scope))
  return {
    store: Layer.succeedContext(context),
    [Symbol.asyncDispose]: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  }
}

/** Two instances on one store and one bank. */
export const openPair = async () => {
  const opened = await openStore()
  const { store } = opened
  const { processor } = sandboxBank()
  const shops = [openShop({ store, processor }), openShop({ store, processor })] as const
  return {
    shops,
    [Symbol.asyncDispose]: async () => {
      for (const { pix } of shops) await pix.dispose()
      await opened[Symbol.asyncDispose]()
    },
  }
}
