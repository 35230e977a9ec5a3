import type { CallbackDelivery } from "@pixcharge/core"
import { type BankClient } from "@pixcharge/testkit/simulation"
import * as Effect from "effect/Effect"
import type { FromHost } from "./messages.ts"

/** How a host calls the bank and the receivers, which are in the simulation's process. An answer may never come. */
export const makeAsking = (tell: (message: FromHost) => void) => {
  const open = new Map<number, (value: unknown) => void>()
  let asked = 0

  const ask = <A>(of: "bank" | "receivers", method: string, args: ReadonlyArray<unknown>): Effect.Effect<A> =>
    Effect.callback<A>((resume) => {
      const id = ++asked
      open.set(id, (value) => resume(Effect.succeed(value as A)))
      tell({ tells: "asks", id, of, method, args })
      return Effect.sync(() => void open.delete(id))
    })

  return {
    answered: (id: number, value: unknown): void => {
      open.get(id)?.(value)
      open.delete(id)
    },
    bank: (known: Pick<BankClient, "ways" | "now">): BankClient =>
      new Proxy(known as BankClient, {
        get: (_, member) =>
          Reflect.get(known, member) ?? ((...args: ReadonlyArray<unknown>) => ask("bank", String(member), args)),
      }),
    receivers: {
      // An endpoint's secrets need not travel.
      deliver: (event, { id }) => ask("receivers", "deliver", [event, { id }]),
    } satisfies CallbackDelivery["Service"],
  }
}
