import { setTimeout as sleep } from "node:timers/promises"
import { Chaos, own } from "./Chaos.ts"
import type { Release } from "./hosts/Hosts.ts"
import type { Evidence } from "./judge/Evidence.ts"
import { judge } from "./judge/judge.ts"
import { openDatabase, type Topology } from "./Topology.ts"

export interface ChaosRun {
  readonly topology: Topology
  readonly faults: ReadonlyArray<string>
  /** The duration of the faults, in seconds. */
  readonly seconds: number
  readonly seed: number
  /** A release for each of the topology's hosts; by default the working tree's. */
  readonly releases?: ReadonlyArray<Release>
}

export interface ChaosResult {
  readonly flaws: ReadonlyArray<string>
  readonly evidence: Evidence
  readonly faults: ReadonlyArray<string>
}

const concurrentSales = 8
const callsBetween = 100

export const runChaos = async ({
  topology,
  faults,
  seconds,
  seed,
  releases = topology.hosts.map(() => own),
}: ChaosRun): Promise<ChaosResult> => {
  const chaos = await Chaos.open({ database: await openDatabase(topology), seed, releases })
  try {
    await chaos.start(...releases)
    const { callers, random } = chaos
    callers.start(concurrentSales)
    await callers.waitForMore("ended", callsBetween)
    for (const until = performance.now() + seconds * 1_000; performance.now() < until;) {
      await chaos.strike(random.pick(faults as [string, ...Array<string>]))
      await Promise.all([callers.waitForMore("ended", callsBetween), sleep(random.between(100, 1_000))])
    }
    const evidence = await chaos.finish()
    return { flaws: judge(evidence), evidence, faults: chaos.incidents.map(({ fault }) => fault) }
  } finally {
    await chaos.close()
  }
}
