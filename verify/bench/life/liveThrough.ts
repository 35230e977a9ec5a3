import { ChargeArchive } from "@pixcharge/core"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { companies, type Company } from "../../world/companies.ts"
import type { HostAnswer, Integrator } from "../../world/Integrator.ts"
import type { Worker } from "../../world/Worker.ts"
import type { OpenStore } from "../openStore.ts"
import type { HostOrders } from "./host.ts"

const atOnce = 32
const minuteMs = 60_000

export type StepName = "issue" | "status" | "look up" | "pay" | "deliver" | "archive"

/** All that has a part in a charge's life. */
export interface World {
  readonly host: Worker<HostOrders>
  readonly bank: SimulatedBank
  /** Ids of the events that the receiver has taken. */
  readonly received: Set<string>
  readonly opened: OpenStore
  /** In the order of the companies. */
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
const tickUntil = async (host: World["host"], isDone: () => boolean): Promise<void> => {
  for (;;) {
    await host.ask("tick")
    if (isDone()) return
    await pause(1_000)
  }
}

const expectStatus = async (expected: number, asked: Promise<HostAnswer>): Promise<void> => {
  const { status, text } = await asked
  if (status !== expected) throw new Error(`the host answered with ${status}: ${text}`)
}

/** Pays a charge, and sends the notice of it to the host. */
const pay = async (bank: SimulatedBank, { cnpj }: Company, txid: string): Promise<void> => {
  const payment = bank.pay(cnpj, txid, { paidAt: Date.now() })
  let notice = await bank.webhooks.send(payment.pixKey, [payment])
  // As a bank does with a notice that was not taken: a process confirms ten a second of a company, after the first hundred.
  while (notice?.status === 503) {
    await pause(1_000)
    notice = await bank.webhooks.send(payment.pixKey, [payment])
  }
  if (notice?.status !== 200) throw new Error(`the host answered a notice with ${notice?.status}`)
}

/** So many charges of all companies, each step of all of them after the one before. */
export const liveThrough = async (world: World, chargeCount: number, count: Count): Promise<void> => {
  const { host, bank, received, opened, integrators } = world
  const ids = Array.from({ length: chargeCount }, () => randomUUID() as string)
  const integratorOf = (at: number) => integrators[at % integrators.length] as Integrator
  const issue = (id: string, at: number) => expectStatus(200, integratorOf(at).issue(id, 1990))
  await count("issue", requests(ids, issue))
  const status = (id: string, at: number) => expectStatus(410, integratorOf(at).status(id))
  await count("status", requests(ids, status))
  await opened.pool.query("UPDATE pixcharge.charges SET check_at = now() WHERE state = 'pending'")
  bank.forgetExchanges()
  const lookedUp = () => bank.exchanges.filter(({ path }) => path.startsWith("/cob/")).length
  await count("look up", { run: () => tickUntil(host, () => lookedUp() >= chargeCount), done: lookedUp })
  const payOne = (id: string, at: number) =>
    pay(bank, companies[at % companies.length] as Company, id.replaceAll("-", ""))
  await count("pay", requests(ids, payOne))
  received.clear()
  const delivered = () => received.size
  await count("deliver", { run: () => tickUntil(host, () => delivered() >= chargeCount), done: delivered })
  const archiveAll = async () => {
    const archive = Effect.flatMap(ChargeArchive, (port) => port.archive(Date.now() + minuteMs, 1_000))
    let archived = 0
    for (let more = 1; more > 0; archived += more) more = await opened.runtime.runPromise(archive)
    if (archived !== chargeCount) throw new Error(`${archived} of ${chargeCount} charges were archived`)
  }
  await count("archive", { run: archiveAll })
}
