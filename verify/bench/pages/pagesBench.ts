import { setTimeout as pause } from "node:timers/promises"
import { Worker } from "../../world/Worker.ts"
import { compareRounds, type Ratio } from "../compareRounds.ts"
import { openPages } from "./openPages.ts"
import type { PagesOrders } from "./servePages.ts"

const pages = 10_000
const paid = 100
const rounds = 3
/** How long it takes until closed pages are forgotten and open pages are idle. */
const settleMs = 5_000
const lookUpsMs = 10_000

const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576)

const line = (what: string, peer: string, ours: number, theirs: number): Ratio => ({
  what,
  peer,
  ...compareRounds([Math.max(ours, Number.EPSILON)], [theirs]),
  goal: 1,
})

/**
 * Opens ten thousand pages of one process on the memory store, and reads them in this one. Measures a page's memory, the
 * look-ups, and how long the last page waits for an event.
 */
export const pagesBench = async (): Promise<ReadonlyArray<Ratio>> => {
  const server = new Worker<PagesOrders>(`${import.meta.dirname}/servePages.js`, { execArgv: ["--expose-gc"] })
  try {
    const { port, paths } = await server.ask("start", pages)
    const before = await server.ask("rssBytes")
    const taken: Array<number> = []
    const open = async () => {
      const opened = await openPages(port, paths)
      await pause(settleMs)
      taken.push(await server.ask("rssBytes"))
      return opened
    }
    for (let round = 1; round < rounds; round++) {
      ;(await open()).close()
      await pause(settleMs)
    }
    const opened = await open()
    const lookUpsBefore = await server.ask("lookUps")
    await pause(lookUpsMs)
    const lookUpsASecond = ((await server.ask("lookUps")) - lookUpsBefore) / (lookUpsMs / 1_000)
    const paidMs = await opened.waitForLast("pago", paid, await server.ask("pay", paid))
    const expiredMs = await opened.waitForLast("expirado", pages - paid, await server.ask("expire"))
    opened.close()
    console.error(
      `  RSS ${megabytes(before)} MB without pages, ${taken.map(megabytes).join(", ")} MB with ${pages} opened ${rounds} times`,
    )
    const [first = 0, last = 0] = [taken[0], taken.at(-1)]
    return [
      line("memory of an open page and its charge, of 10000", "40 KB", (last - before) / pages, 40 * 1_024),
      line("memory with 10000 pages, opened three times", "the same, opened once", last, first * 1.1),
      line("look-ups of the store for 10000 open pages", "one a second", lookUpsASecond, 1),
      line("from a payment to its page, the last of 100", "2 s", paidMs, 2_000),
      line("from a moment that changes 10000 pages to the last", "5 s", expiredMs, 5_000),
    ]
  } finally {
    await server.end()
  }
}
