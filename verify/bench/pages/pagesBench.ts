import { setTimeout as pause } from "node:timers/promises"
import { Worker } from "../../world/Worker.ts"
import { compareRounds, type Ratio } from "../compareRounds.ts"
import type { ReaderOrders } from "./openPages.ts"
import type { PagesOrders } from "./servePages.ts"

const pages = 10_000
const paid = 100
const rounds = 3
/** How long it takes until closed pages are forgotten and open pages are idle. */
const settleMs = 5_000
const lookUpsMs = 10_000
/** More than one process, because the machine limits the sockets of a process. */
const readerProcesses = 2

const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576)

/** Waits until `count` pages show this state. Returns the milliseconds from `since` to the last page. */
const waitForLast = async (
  readers: ReadonlyArray<Worker<ReaderOrders>>,
  status: string,
  count: number,
  since: number,
) => {
  for (let wait = 0; wait < 600; wait++) {
    const counts = await Promise.all(readers.map((reader) => reader.ask("countNotified", status)))
    const all = counts.reduce((sum, one) => sum + one.count, 0)
    if (all >= count) return Math.max(...counts.map(({ lastAt }) => lastAt)) - since
    await pause(100)
  }
  throw new Error(`not all ${count} pages showed ${status} within a minute`)
}

const openRounds = async (
  server: Worker<PagesOrders>,
  open: () => Promise<unknown>,
  close: () => Promise<unknown>,
): Promise<ReadonlyArray<number>> => {
  const taken: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    if (round > 0) {
      await close()
      await pause(settleMs)
    }
    await open()
    await pause(settleMs)
    taken.push(await server.ask("rssBytes"))
  }
  return taken
}

const line = (what: string, peer: string, ours: number, theirs: number): Ratio => ({
  what,
  peer,
  ...compareRounds([Math.max(ours, Number.EPSILON)], [theirs]),
  goal: 1,
})

/**
 * Opens ten thousand pages of one process on the memory store, with readers in other processes. Measures a page's
 * memory, the look-ups, and how long the last page waits for an event.
 */
export const pagesBench = async (): Promise<ReadonlyArray<Ratio>> => {
  const server = new Worker<PagesOrders>(`${import.meta.dirname}/servePages.js`, { execArgv: ["--expose-gc"] })
  const readers = Array.from(
    { length: readerProcesses },
    () => new Worker<ReaderOrders>(`${import.meta.dirname}/openPages.js`),
  )
  try {
    const { port, paths } = await server.ask("start", pages)
    const before = await server.ask("rssBytes")
    const shares = readers.map((_, index) => paths.filter((_path, page) => page % readerProcesses === index))
    const open = () => Promise.all(readers.map((reader, index) => reader.ask("open", port, shares[index] ?? [])))
    const taken = await openRounds(server, open, () => Promise.all(readers.map((reader) => reader.ask("close"))))
    const lookUpsBefore = await server.ask("lookUps")
    await pause(lookUpsMs)
    const lookUpsASecond = ((await server.ask("lookUps")) - lookUpsBefore) / (lookUpsMs / 1_000)
    const paidMs = await waitForLast(readers, "pago", paid, await server.ask("pay", paid))
    const expiredMs = await waitForLast(readers, "expirado", pages - paid, await server.ask("expire"))
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
    await Promise.all([server, ...readers].map((worker) => worker.end()))
  }
}
