import { ChargeStore } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export default Layer.effectContext(
  Effect.map(Layer.build(memoryStore()), (ports) => {
    const store = Context.get(ports, ChargeStore)
    return Context.add(ports, ChargeStore, {
      ...store,
      commit: (change) =>
        Effect.flatMap(store.find(change.issuer, change.id), (charge) =>
          store.commit({ ...change, expectedVersion: charge?.version ?? change.expectedVersion }),
        ),
    })
  }),
)
