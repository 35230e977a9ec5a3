import { setTimeout as sleep } from "node:timers/promises"
import { Chaos, own } from "./Chaos.ts"
import type { Release } from "./hosts/Hosts.ts"
import type { Evidence } from "./judge/Evidence.ts"
import { judge } from "./judge/judge.ts"
import { openDatabase, type Topology } from "./Topology.ts"

/** A run. */
export interface ChaosRun {
  readonly topology: Topology
  /** What goes wrong, of what the topology's database and hosts know. */
  readonly faults: ReadonlyArray<string>
  /** For so long it goes wrong. */
  readonly seconds: number
  readonly seed: number
  /** Needed where the topology has hosts of it. */
  readonly older?: Release
}

/** What came of a run. */
export interface ChaosResult {
  /** One sentence each; none if all holds. */
  readonly flaws: ReadonlyArray<string>
  readonly evidence: Evidence
  readonly faults: ReadonlyArray<string>
}

/** Charges on which callers meet at once. */
const concurrentSales = 8
/** Calls that end before something happens, and after. */
const callsBetween = 100

/** Has faults strike one after the other under load, lets all come to rest, and judges. */
export const runChaos = async ({ topology, faults, seconds, seed, older }: ChaosRun): Promise<ChaosResult> => {
  const releases = topology.hosts.map((host): Release => {
    if (host === "this") return own
    if (older === undefined) throw new Error("no older release is given")
    return older
  })
  const chaos = await Chaos.open({ database: await openDatabase(topology), seed, ...(older && { older }) })
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
