import type { StorePorts } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StoreCall } from "./judge/describeWrite.ts"
import type { Network } from "./Network.ts"
import { mapPorts } from "./mapPorts.ts"

type Members = Readonly<Record<string, unknown>>
type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>

/**
 * The store of a run. It can be set back, as after a lagging failover or a restored backup: it repeats the earlier
 * calls in an empty memory store.
 */
export class RunStore {
  readonly ports: Context.Context<StorePorts>
  /** How many times the store was set back. Calls that were sent before don't arrive. */
  age = 0
  readonly #services = new Map<string, Members>()
  #calls: Array<readonly [at: number, call: StoreCall]> = []

  constructor(store: Context.Context<StorePorts>) {
    this.#use(store)
    this.ports = mapPorts(store, (port, service) => {
      const members = Object.entries(service).map(([name, member]) => [
        name,
        typeof member === "function"
          ? (...args: ReadonlyArray<unknown>) => Effect.suspend(() => (this.#member(port, name) as Method)(...args))
          : Effect.suspend(() => this.#member(port, name) as Effect.Effect<unknown>),
      ])
      return Object.fromEntries(members) as typeof service
    })
  }

  #member(port: string, name: string): unknown {
    return this.#services.get(port)?.[name]
  }

  #use(store: Context.Context<StorePorts>): void {
    mapPorts(store, (port, service) => {
      this.#services.set(port, service as Members)
      return service
    })
  }

  remember(at: number, call: StoreCall): void {
    this.#calls.push([at, call])
  }

  setBack(until: number, network: Pick<Network, "execute">): void {
    this.age += 1
    this.#calls = this.#calls.filter(([at]) => at <= until)
    this.#use(Effect.runSync(Effect.scoped(Layer.build(memoryStore()))))
    for (const [, { port, method, args }] of this.#calls) {
      const again = this.#member(port, method) as Method
      network.execute(again(...args), () => undefined)
    }
  }
}
