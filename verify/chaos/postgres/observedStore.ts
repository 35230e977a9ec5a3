import { ChargeStore, ExceptionStore, type StorePorts } from "@pixcharge/core"
import { type StoreCall } from "@pixcharge/testkit/simulation"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** A store whose answers to writes of charges, payments and exceptions are told. */
export const observedStore = (
  store: Context.Context<StorePorts>,
  told: (call: StoreCall) => void,
): Context.Context<StorePorts> => {
  const observed =
    <Given, A, E>(port: string, method: string, write: (given: Given) => Effect.Effect<A, E>) =>
    (given: Given): Effect.Effect<A, E> =>
      Effect.tap(write(given), (answer) => Effect.sync(() => told({ port, method, args: [given], answer })))
  const charges = Context.get(store, ChargeStore)
  const exceptions = Context.get(store, ExceptionStore)
  return store.pipe(
    Context.add(ChargeStore, {
      ...charges,
      insert: observed("store", "insert", charges.insert),
      commit: observed("store", "commit", charges.commit),
      recordUnmatched: observed("store", "recordUnmatched", charges.recordUnmatched),
    }),
    Context.add(ExceptionStore, {
      ...exceptions,
      commit: observed("exceptions", "commit", exceptions.commit),
    }),
  )
}
