import { makeCertificates } from "../world/makeCertificates.ts"
import { Worker } from "../world/Worker.ts"
import { compareRounds, type Ratio } from "./compareRounds.ts"
import type { BankOrders } from "./many/bank.ts"
import type { HostOrders } from "./many/host.ts"

const charges = 10_000
const early = 2_000
const answerMs = 20
const atOnce = 8
const rounds = 3

/**
 * Issues due-date charges with `issueMany`, and by hand at the number of calls that the bank works on at a time, which is the
 * bank's pace.
 */
export const manyBench = async (databases: (name: string) => Promise<string>): Promise<ReadonlyArray<Ratio>> => {
  const certificates = await makeCertificates()
  const bank = new Worker<BankOrders>(`${import.meta.dirname}/many/bank.js`)
  const host = new Worker<HostOrders>(`${import.meta.dirname}/many/host.js`, { execArgv: ["--expose-gc"] })
  try {
    const bankUrl = await bank.ask("start", certificates, answerMs, atOnce)
    await host.ask("start", { databaseUrl: await databases("many"), bankUrl, certificates })
    const [ours, byHand, first, last]: [Array<number>, Array<number>, Array<number>, Array<number>] = [[], [], [], []]
    for (let round = 0; round < rounds; round++) {
      const { each, heap } = await host.ask("issueMany", round * charges, charges, [early, charges])
      ours.push(each)
      first.push(heap[0] ?? Number.NaN)
      last.push(heap[1] ?? Number.NaN)
      byHand.push(await host.ask("byHand", charges, atOnce))
    }
    return [
      {
        what: `issueMany of ${charges} due-date charges, durable`,
        peer: `the calls by hand, at the pace of the bank: ${atOnce} at a time, ${answerMs} ms each`,
        ...compareRounds(ours, byHand),
        goal: 1 / 1.2,
      },
      {
        what: `heap of issueMany after ${charges} charges`,
        peer: `the same after ${early}`,
        ...compareRounds(last, first),
        goal: 0.95,
      },
    ]
  } finally {
    await host.end()
    await bank.end()
  }
}
