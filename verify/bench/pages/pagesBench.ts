import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import { compareRounds } from "../compareRounds.ts"
import type { Ratio } from "../Ratio.ts"
import type { ReadersOrder, Told } from "./openPages.ts"
import type { PagesAnswer, PagesOrder } from "./servePages.ts"

const pages = 10_000
const paid = 100
const rounds = 3
/** Until what was closed is forgotten, and what was opened is at rest. */
const settleMs = 5_000
/** No process may have more sockets than the machine gives one. */
const readerProcesses = 2

const message = async <A>(child: ChildProcess): Promise<A> => {
  const ended = new AbortController()
  const gone = once(child, "exit", { signal: ended.signal }).then(() => {
    throw new Error("a process of the benchmark ended too early")
  })
  const [received] = (await Promise.race([once(child, "message"), gone])) as [A]
  ended.abort()
  gone.catch(() => undefined)
  return received
}

const ask = <A>(child: ChildProcess, order: PagesOrder | ReadersOrder): Promise<A> => {
  child.send(order)
  return message(child)
}

const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576)

/** Waits until so many pages of all were told of a status; how long after a moment the last was, in milliseconds. */
const lastTold = async (readers: ReadonlyArray<ChildProcess>, status: string, count: number, since: number) => {
  for (let wait = 0; wait < 600; wait++) {
    const told = await Promise.all(readers.map((reader) => ask<Told>(reader, { _tag: "Told", status })))
    const all = told.reduce((sum, one) => sum + one.count, 0)
    if (all >= count) return Math.max(...told.map(({ lastAt }) => lastAt)) - since
    await pause(100)
  }
  throw new Error(`not all ${count} pages were told of ${status} within a minute`)
}

/**
 * Ten thousand open pages of as many charges in one process on the memory store, whose readers are other processes: what a
 * page takes of its memory, how many look-ups of the store they cost, and how long the last of them waits to be told.
 */
export const pagesBench = async (): Promise<ReadonlyArray<Ratio>> => {
  const server = fork(`${import.meta.dirname}/servePages.js`, [String(pages)], { execArgv: ["--expose-gc"] })
  const readers = Array.from({ length: readerProcesses }, () => fork(`${import.meta.dirname}/openPages.js`))
  try {
    const { port = 0, paths = [], rssBytes: before } = await message<PagesAnswer>(server)
    const openAll = () =>
      Promise.all(
        readers.map((reader, at) =>
          ask<Told>(reader, { _tag: "Open", port, paths: paths.filter((_, page) => page % readerProcesses === at) }),
        ),
      )
    const open: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      if (round > 0) {
        await Promise.all(readers.map((reader) => ask<Told>(reader, { _tag: "Close" })))
        await pause(settleMs)
      }
      await openAll()
      await pause(settleMs)
      open.push((await ask<PagesAnswer>(server, { _tag: "Memory" })).rssBytes)
    }
    const began = await ask<PagesAnswer>(server, { _tag: "Memory" })
    await pause(10_000)
    const ended = await ask<PagesAnswer>(server, { _tag: "Memory" })
    const lookUpsASecond = ((ended.lookUps - began.lookUps) * 1_000) / (ended.at - began.at)
    const payment = await ask<PagesAnswer>(server, { _tag: "Pay", count: paid })
    const paidMs = await lastTold(readers, "pago", paid, payment.at)
    const expiry = await ask<PagesAnswer>(server, { _tag: "Expire" })
    const expiredMs = await lastTold(readers, "expirado", pages - paid, expiry.at)
    const last = open.at(-1) ?? 0
    console.error(
      `RSS ${megabytes(before)} MB without pages, ${open.map(megabytes).join(", ")} MB with ${pages} opened ${rounds} times; ` +
        `${lookUpsASecond.toFixed(2)} look-ups a second; ${paid} payments: the last page was told ${paidMs} ms after; ` +
        `all expired: the last page was told ${expiredMs} ms after`,
    )
    const line = (what: string, peer: string, ours: number, theirs: number): Ratio => ({
      what,
      peer,
      ...compareRounds([Math.max(ours, Number.EPSILON)], [theirs]),
      goal: 1,
    })
    return [
      line("memory of an open page and its charge, of 10000", "40 KB", (last - before) / pages, 40 * 1_024),
      line("memory with 10000 pages, opened three times", "the same, opened once", last, (open[0] ?? 0) * 1.1),
      line("look-ups of the store for 10000 open pages", "one a second", lookUpsASecond, 1),
      line("from a payment to its page, the last of 100", "2 s", paidMs, 2_000),
      line("from a moment that changes 10000 pages to the last", "5 s", expiredMs, 5_000),
    ]
  } finally {
    for (const child of [server, ...readers]) child.disconnect()
  }
}
