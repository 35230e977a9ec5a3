import { chargeTxid } from "@pixcharge/core/plain"
import { randomUUID } from "node:crypto"
import { company, type World } from "./World.ts"

/**
 * Runs an operation and counts it: its name, how many runs it makes in parallel, and how many looks for due work it
 * includes.
 */
type Count = (step: string, times: number, run: () => Promise<unknown>, looks?: number) => Promise<void>

export interface Living {
  readonly chargesADay: number
  /** The milliseconds from the issue to the payment of the n-th charge; undefined if it is never paid. */
  readonly paidAfterMs: (n: number) => number | undefined
  readonly hours: number
  /** The milliseconds between two looks for due work of one process. */
  readonly stepMs: number
  readonly processes: number
  /** Without it the operations run in parallel. */
  readonly count?: Count
}

const dayMs = 86_400_000
const hourMs = 3_600_000

/** The n-th of numbers between 0 and 1 that are spread evenly. */
const spread = (n: number, by: number): number => (n * by) % 1

/** Three of five charges are paid within 45 s, a quarter within eight minutes, the others never. */
export const drawPaidAfterMs = (n: number): number | undefined => {
  const luck = spread(n, 0.618_034)
  if (luck < 0.6) return 45_000 * spread(n, 0.754_878)
  return luck < 0.85 ? 45_000 + 435_000 * spread(n, 0.754_878) : undefined
}

/** Three of five charges are paid within 45 s, the others a minute later on average. */
export const paidSoon = (n: number): number => {
  const within = spread(n, 0.754_878)
  return spread(n, 0.618_034) < 0.6 ? 45_000 * within : 45_000 - 60_000 * Math.log(1 - within * 0.999)
}

export const live = async (world: World, living: Living): Promise<void> => {
  const { host, bank, webhooks } = world
  const { chargesADay, paidAfterMs, hours, stepMs, processes, count } = living
  const each = async <A>(items: ReadonlyArray<A>, work: (item: A) => Promise<void>): Promise<void> => {
    if (count === undefined) await Promise.all(items.map(work))
    else for (const item of items) await work(item)
  }
  const measure: Count = count ?? (async (_step, times, run) => void (times > 0 && (await run())))
  const endsAt = world.now + hours * hourMs
  let integrators = world.integrators()
  let turn = 0
  const nextTurn = () => (turn = (turn + 1) % processes)
  const integrator = () => integrators[nextTurn()] as (typeof integrators)[number]

  const issue = async (id: string) => {
    await integrator().issue(id, 1990)
    const afterMs = paidAfterMs(world.issued)
    if (afterMs !== undefined) {
      // One of fifty notices is lost.
      const isNoticed = world.issued % 50 !== 25
      world.awaited = [...world.awaited, { txid: chargeTxid(company.cnpj, id), paidAt: world.now + afterMs, isNoticed }]
    }
    world.issued++
  }
  const pay = async ({ txid, isNoticed }: World["awaited"][number]) => {
    const payment = bank.pay(company.cnpj, txid, { paidAt: world.now })
    // Lists from before the measurement don't count, so their payments are known.
    if (isNoticed || count === undefined) world.paid.add(payment.endToEndId)
    if (!isNoticed) return
    bank.ledger.webhooks.set(company.pixKey, { url: webhooks[nextTurn()] as string, since: 0 })
    const notice = await bank.webhooks.send(company.pixKey, [payment])
    if (notice?.status !== 200) throw new Error(`the host returned ${notice?.status} to a notice`)
  }

  for (let step = 1; world.now < endsAt; step++) {
    const look = () => host.ask("tick", world.now, nextTurn(), processes)
    // Since the last look no work has become due, so this look finds nothing.
    if (count !== undefined && step % 10 === 0) await count("idle", 1, look, processes)
    const before = world.now
    world.now += stepMs
    if (Math.floor(before / hourMs) < Math.floor(world.now / hourMs)) integrators = world.integrators()
    await measure("look out", 1, look, processes)
    const issuedBefore = (at: number) => Math.floor((at / dayMs) * chargesADay)
    const ids = Array.from({ length: issuedBefore(world.now) - issuedBefore(before) }, () => randomUUID() as string)
    await measure("issue", ids.length, () => each(ids, issue))
    const twice = [...ids, ...ids]
    await measure("status", twice.length, () => each(twice, (id) => integrator().pendingStatus(id)))
    const due = world.awaited.filter(({ paidAt }) => paidAt <= world.now)
    world.awaited = world.awaited.filter(({ paidAt }) => paidAt > world.now)
    const noticed = due.filter((one) => one.isNoticed)
    await each(
      due.filter((one) => !one.isNoticed),
      pay,
    )
    await measure("pay", noticed.length, () => each(noticed, pay))
    await measure("deliver", noticed.length, () => host.ask("tick", world.now, turn, 1), 1)
    if (count === undefined) bank.forgetExchanges()
  }
}
