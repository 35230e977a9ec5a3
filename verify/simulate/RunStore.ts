import * as core from "@pixcharge/core"
import {
  ChargeLists,
  ChargeStore,
  ExceptionStore,
  type InvalidFilter,
  Outbox,
  type Page,
  type PageRequest,
  type StorePorts,
  StoreUnavailable,
  type TooManyReports,
} from "@pixcharge/core"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import { memoryStore } from "@pixcharge/store-memory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Exit from "effect/Exit"
import type { StoreCall } from "./judge/describeWrite.ts"
import { type Network, pickPassage, type Surroundings } from "./Network.ts"
import type { FaultDecision } from "./FaultDecisions.ts"
import type { Actor } from "./World.ts"
import type { Books } from "./judge/Evidence.ts"

type Ports = Context.Context<core.StorePorts>
type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>

const ports: Readonly<Record<string, { readonly key: string }>> = {
  store: core.ChargeStore,
  outbox: core.Outbox,
  lists: core.ChargeLists,
  counts: core.ChargeCounts,
  exceptions: core.ExceptionStore,
  checks: core.DueChecks,
  payers: core.PayerData,
  reconciliations: core.Reconciliations,
  recurrences: RecurrenceStore,
  "revoked tokens": core.RevokedTokens,
  "audit log": core.AuditLog,
}

const serviceOf = (store: Ports, port: string): Readonly<Record<string, unknown>> =>
  store.mapUnsafe.get(ports[port]?.key ?? "")

/** A store with other members in each of its ports. */
export const mapMembers = (store: Ports, map: (port: string, name: string, member: unknown) => unknown): Ports => {
  const mapped = Object.entries(ports).map(([port, { key }]) => {
    const members = Object.entries(serviceOf(store, port)).map(([name, member]) => [name, map(port, name, member)])
    return [key, Object.fromEntries(members)] as const
  })
  return Context.makeUnsafe(new Map([...store.mapUnsafe, ...mapped]))
}

/**
 * The store of a run. It can be set back, as after a lagging failover or a restored backup: it repeats the earlier
 * calls in an empty memory store.
 */
export class RunStore {
  readonly ports: Ports
  /** How many times the store was set back. Calls that were sent before don't arrive. */
  age = 0
  #store: Ports
  #calls: Array<readonly [at: number, call: StoreCall]> = []

  constructor(store: Ports) {
    this.#store = store
    this.ports = mapMembers(store, (port, name, member) =>
      typeof member === "function"
        ? (...args: ReadonlyArray<unknown>) => Effect.suspend(() => this.#method(port, name)(...args))
        : Effect.suspend(() => serviceOf(this.#store, port)[name] as Effect.Effect<unknown>),
    )
  }

  #method(port: string, name: string): Method {
    return serviceOf(this.#store, port)[name] as Method
  }

  remember(at: number, call: StoreCall): void {
    this.#calls.push([at, call])
  }

  setBack(until: number, network: Pick<Network, "execute">): void {
    this.age += 1
    this.#calls = this.#calls.filter(([at]) => at <= until)
    this.#store = Effect.runSync(Effect.scoped(Layer.build(memoryStore())))
    for (const [, { port, method, args }] of this.#calls)
      network.execute(this.#method(port, method)(...args), () => undefined)
  }
}

interface StoreWorld extends Surroundings {
  /** Called when a call arrives. The returned function is called after its work. */
  readonly onCall: (caller: Actor) => (call: StoreCall) => void
  readonly onFailure: (caller: Actor) => void
}

const latencyMs = (decision: FaultDecision): number => {
  const { random } = decision
  if (decision.isHit("slowStore")) return random.between(100, 2_500)
  return random.between(0, random.chance(0.5) ? 3 : 60)
}

type Call = Effect.Effect<unknown, StoreUnavailable>

export const makeStoreClient = (
  run: Pick<RunStore, "ports" | "age">,
  caller: Actor,
  { world, network, faults, onCall, onFailure }: StoreWorld,
): Context.Context<StorePorts> => {
  const wrapCall = (port: string, method: string, args: ReadonlyArray<unknown>, doing: Call): Call =>
    Effect.suspend(() => {
      const { age } = run
      const decision = faults.decideNext(`${caller.name} ${port}.${method}`)
      const latency = { arriveMs: latencyMs(decision), answerMs: latencyMs(decision) }
      const way = pickPassage(decision, latency, { trouble: "store", unanswered: 1 })
      const called = network.call<unknown, StoreUnavailable>(caller, way, (onExit) => {
        if (run.age !== age) return
        const carriedOut = onCall(caller)
        network.execute(doing, (exit) => {
          if (Exit.isSuccess(exit)) carriedOut({ port, method, args, answer: exit.value })
          onExit(exit)
        })
      })
      if (way.lost === undefined) return called
      world.note(caller.name, `${port}.${method} is cut off (${way.lost} lost)`)
      const cut = Effect.suspend(() => {
        onFailure(caller)
        return new StoreUnavailable({ operation: method, cause: "the connection was cut" })
      })
      return Effect.timeoutOrElse(called, { duration: way.arriveMs + way.answerMs, orElse: () => cut })
    })

  return mapMembers(run.ports, (port, method, member) =>
    typeof member === "function"
      ? (...args: ReadonlyArray<unknown>) => wrapCall(port, method, args, member(...args) as Call)
      : member,
  )
}

const ever = { from: 0, until: 8.64e15 }

export const all = Effect.fnUntraced(
  function* <A>(
    read: (page: PageRequest) => Effect.Effect<Page<A>, StoreUnavailable | InvalidFilter | TooManyReports>,
  ) {
    const found: Array<A> = []
    let cursor: string | undefined
    do {
      const page: Page<A> = yield* read({ limit: 100, ...(cursor !== undefined && { cursor }) })
      found.push(...page.items)
      cursor = page.cursor
    } while (cursor !== undefined)
    return found
  },
  Effect.catchTag("InvalidFilter", Effect.die),
)

export const makeBooks = (store: Context.Context<StorePorts>): Books => {
  const { find } = Context.get(store, ChargeStore)
  const lists = Context.get(store, ChargeLists)
  const { list, attempts } = Context.get(store, Outbox)
  return {
    charge: find,
    charges: (issuer, text) =>
      all((page) => lists.charges(issuer, { ...ever, ...(text !== undefined && { text }) }, page)),
    payments: (issuer) => all((page) => lists.payments(issuer, ever, page)),
    returns: (issuer) => all((page) => lists.returns(issuer, ever, page)),
    exception: Context.get(store, ExceptionStore).find,
    deliveries: (issuer, chargeId) => all((page) => list(issuer, chargeId === undefined ? {} : { chargeId }, page)),
    attempts,
  }
}
