import { makeCertificates } from "../world/makeCertificates.ts"
import { Worker } from "../world/Worker.ts"
import { compareRounds, type Ratio } from "./compareRounds.ts"
import type { HostOrders } from "./many/host.ts"
import { openBank, slow } from "./many/openBank.ts"

const charges = 10_000
const early = 2_000
const rounds = 3

/**
 * Issues due-date charges with `issueMany`, and by hand at the number of calls that the bank works on at a time, which is the
 * bank's pace.
 */
export const manyBench = async (databases: (name: string) => Promise<string>): Promise<ReadonlyArray<Ratio>> => {
  const certificates = await makeCertificates()
  const bank = await openBank(certificates)
  const host = new Worker<HostOrders>(`${import.meta.dirname}/many/host.js`, { execArgv: ["--expose-gc"] })
  try {
    await host.ask("start", { databaseUrl: await databases("many"), bankUrl: bank.baseUrl, certificates })
    const [ours, byHand, first, last]: [Array<number>, Array<number>, Array<number>, Array<number>] = [[], [], [], []]
    for (let round = 0; round < rounds; round++) {
      const { each, heap } = await host.ask("issueMany", round * charges, charges, [early, charges])
      ours.push(each)
      first.push(heap[0] ?? Number.NaN)
      last.push(heap[1] ?? Number.NaN)
      byHand.push(await host.ask("byHand", charges, slow.atOnce))
    }
    return [
      {
        what: `issueMany of ${charges} due-date charges, durable`,
        peer: `the calls by hand, at the pace of the bank: ${slow.atOnce} at a time, ${slow.ms} ms each`,
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
    await bank.close()
  }
}
