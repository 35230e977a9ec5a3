import { ChargeArchive } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import type { Opened } from "../churn/opened.ts"
import type { Integrator } from "./Integrator.ts"
import type { Outside } from "./startOutside.ts"
import type { Host } from "./startHost.ts"

const atOnce = 32
const minuteMs = 60_000

export type StepName = "issue" | "status" | "look up" | "pay" | "deliver" | "archive"

/** All that has a part in a charge's life. */
export interface World {
  readonly host: Host
  readonly outside: Outside
  readonly opened: Opened
  readonly integrators: ReadonlyArray<Integrator>
}

/** A step of many charges. */
export interface Step {
  readonly run: () => Promise<unknown>
  /** Of how many charges it is done; left out where that takes no connection. */
  readonly done?: () => number
}

/** Carries out a step, and counts what it costs. */
export type Count = (name: StepName, step: Step) => Promise<void>

/** Sends many requests, some at once. */
const requests = <A>(items: ReadonlyArray<A>, send: (item: A, at: number) => Promise<void>): Step => {
  let done = 0
  const run = () =>
    forEach(items, async (item, at) => {
      await send(item, at)
      done++
    })
  return { run, done: () => done }
}

const forEach = async <A>(items: ReadonlyArray<A>, work: (item: A, at: number) => Promise<void>): Promise<void> => {
  const rest = items.entries()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [at, item] of rest) await work(item, at)
    }),
  )
}

/** What is delayed, as the first check of a company at its bank delays its others by 2 s, is done by a later tick. */
const tickUntil = async (host: Host, isDone: () => boolean): Promise<void> => {
  for (;;) {
    await host.tick()
    if (isDone()) return
    await pause(1_000)
  }
}

/** So many charges of all companies, each step of all of them after the one before. */
export const liveThrough = async (world: World, chargeCount: number, count: Count): Promise<void> => {
  const { host, outside, opened, integrators } = world
  const { bank } = outside
  const ids = Array.from({ length: chargeCount }, () => randomUUID() as string)
  const integratorOf = (at: number) => integrators[at % integrators.length] as Integrator
  await count(
    "issue",
    requests(ids, (id, at) => integratorOf(at).issue(id)),
  )
  await count(
    "status",
    requests(ids, (id, at) => integratorOf(at).status(id)),
  )
  await opened.pool.query("UPDATE pixcharge.charges SET check_at = now() WHERE state = 'pending'")
  bank.forgetExchanges()
  const lookedUp = () => bank.exchanges.filter(({ path }) => path.startsWith("/cob/")).length
  await count("look up", { run: () => tickUntil(host, () => lookedUp() >= chargeCount), done: lookedUp })
  await count(
    "pay",
    requests(ids, (id) => outside.pay(id.replaceAll("-", ""))),
  )
  outside.received.clear()
  const delivered = () => outside.received.size
  await count("deliver", { run: () => tickUntil(host, () => delivered() >= chargeCount), done: delivered })
  const archiveAll = async () => {
    const archive = Effect.flatMap(ChargeArchive, (port) => port.archive(Date.now() + minuteMs, 1_000))
    let archived = 0
    for (let more = 1; more > 0; archived += more) more = await opened.runtime.runPromise(archive)
    if (archived !== chargeCount) throw new Error(`${archived} of ${chargeCount} charges were archived`)
  }
  await count("archive", { run: archiveAll })
}
