import {
  AuditLog,
  ChargeCounts,
  ChargeLists,
  ChargeStore,
  DueChecks,
  ExceptionStore,
  Outbox,
  PayerData,
  Reconciliations,
  type StorePorts,
} from "@pixcharge/core"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import { aCnpj, anotherCnpj } from "@pixcharge/adapter-tests/fixtures"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { routePorts } from "../../src/router/routePorts.ts"
import type { ShardPorts, StoreShards } from "../../src/shards/Shards.ts"

const ports = {
  AuditLog,
  ChargeCounts,
  ChargeLists,
  ChargeStore,
  DueChecks,
  ExceptionStore,
  Outbox,
  PayerData,
  Reconciliations,
  RecurrenceStore,
}
type PortName = keyof typeof ports
type Methods = Readonly<Record<string, (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>>>

/** The calls to several shards, or without a company. `spanningSuite` and the other tests of this folder test these calls. */
const spanning: Partial<Record<PortName, ReadonlyArray<string>>> = {
  ChargeStore: ["changed", "owners", "standings"],
  DueChecks: ["claimCharges", "claimExceptions", "look"],
  Outbox: ["claim", "depth", "purge", "read", "release", "renew", "settle"],
  Reconciliations: ["claim", "enter"],
  RecurrenceStore: ["bankIdsOfOthers", "claim"],
}

/** The arguments of calls whose first argument isn't the company. */
const shapes: Partial<Record<PortName, Readonly<Record<string, (issuer: string) => ReadonlyArray<unknown>>>>> = {
  ChargeStore: {
    insert: (issuer) => [{ issuer }],
    commit: (issuer) => [{ issuer, payments: [], deliveries: [] }],
    recordUnmatched: (issuer) => [{ issuer, endToEndId: "E1" }, ["return"], ["delivery"]],
  },
  DueChecks: {
    scheduleCharge: (issuer) => [{ issuer }, 7, 8],
    scheduleException: (issuer) => [{ payment: { issuer } }, 7],
  },
  ExceptionStore: {
    commit: (issuer) => [{ issuer }],
    ofCharge: (issuer) => [{ issuer }, 7],
  },
  Outbox: { add: (issuer) => [{ event: { issuer } }, 7, "audit"] },
  Reconciliations: { save: (issuer) => [{ issuer }, "turn"] },
  RecurrenceStore: {
    insert: (issuer) => [{ issuer }, 7, "audit"],
    commit: (issuer) => [{ issuer, deliveries: [] }],
  },
}
const companyFirst = (issuer: string): ReadonlyArray<unknown> => [issuer, "second", "third", "fourth"]

const recordingShard = (id: string, calls: Array<unknown>): ShardPorts => {
  const record = (port: string): Methods =>
    new Proxy<Methods>(
      {},
      {
        get:
          (_, method) =>
          (...args: ReadonlyArray<unknown>) =>
            Effect.sync(() => {
              const call = { shard: id, port, method, args }
              calls.push(call)
              return call
            }),
      },
    )
  const services = new Map(Object.entries(ports).map(([name, port]) => [port.key, record(name)]))
  return { id, ports: Context.makeUnsafe<StorePorts>(services) }
}

const calls: Array<unknown> = []
const shardOf = new Map([aCnpj, anotherCnpj].map((issuer) => [issuer as string, recordingShard(issuer, calls)]))
const shards: StoreShards = {
  find: (issuer) => Effect.sync(() => shardOf.get(issuer) ?? recordingShard("none", calls)),
  all: Effect.sync(() => [...shardOf.values()]),
}
const noOwners = { claim: () => Effect.succeed([]), find: () => Effect.succeed([]) }
const routed = await Effect.runPromise(Effect.scoped(routePorts(shards, noOwners)))

describe.each(Object.keys(ports) as ReadonlyArray<PortName>)("%s", (name) => {
  const service = Context.getUnsafe(routed, ports[name] as typeof AuditLog) as unknown as Methods
  const atCompany = Object.keys(service).filter((method) => spanning[name]?.includes(method) !== true)

  it("has every call that this test lists", () => {
    expect(Object.keys(service)).toEqual(expect.arrayContaining([...(spanning[name] ?? [])]))
    expect(atCompany).toEqual(expect.arrayContaining(Object.keys(shapes[name] ?? {})))
  })

  it.each(atCompany)(
    "%s is passed unchanged to the company's shard only, and returns that shard's answer",
    async (method) => {
      for (const issuer of [aCnpj, anotherCnpj]) {
        const args = (shapes[name]?.[method] ?? companyFirst)(issuer)
        calls.length = 0
        const answer = await Effect.runPromise(service[method]?.(...args) ?? Effect.void)
        expect(calls).toEqual([answer])
        const call = calls[0] as { readonly args: ReadonlyArray<unknown> }
        // A route can take fewer arguments than the test gives, and passes its arguments on.
        expect(call).toEqual({ shard: issuer, port: name, method, args: args.slice(0, call.args.length) })
        expect(call.args.length).toBeGreaterThanOrEqual(service[method]?.length ?? 0)
      }
    },
  )
})

it("the ids of other companies' recurrences come from every shard", async () => {
  calls.length = 0
  const { bankIdsOfOthers } = Context.getUnsafe(routed, RecurrenceStore)
  expect(await Effect.runPromise(bankIdsOfOthers(aCnpj, "contract"))).toEqual(calls)
  expect(calls).toMatchObject([aCnpj, anotherCnpj].map((shard) => ({ shard, args: [aCnpj, "contract"] })))
})
