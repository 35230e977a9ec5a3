import { setTimeout as sleep } from "node:timers/promises"
import type { Surroundings } from "./database/Database.ts"
import { edges } from "./hosts/HostWay.ts"
import type { Release } from "./hosts/Hosts.ts"

type Span = readonly [min: number, max: number]

/** The two kinds of suspension. A lease lasts 30 s, so the hosts of the second kind lose their leases. */
const suspensionsMs: readonly [Span, Span] = [
  [1_000, 5_000],
  [31_000, 33_000],
]
/** The longest silence. It is longer than the 15 s that a statement waits for its answer. */
const maxSilenceMs = 20_000
const maxMessages = 60
const edgeLimitMs = 5_000

/** The faults of hosts. Each resolves once the host serves again. */
export const hostFaults = {
  killHost: async ({ hosts, random }: Surroundings) => hosts.kill(hosts.pick(random)),
  suspendHost: async ({ hosts, random }: Surroundings) => {
    const { host } = hosts.pick(random)
    host?.suspend()
    await sleep(random.between(...random.pick(suspensionsMs)))
    host?.resume()
  },
  cut: async ({ hosts, random }: Surroundings) => hosts.pick(random).way?.proxy.cut(),
  silence: async ({ hosts, random }: Surroundings) =>
    hosts.pick(random).way?.proxy.hold(random.between(1_000, maxSilenceMs)),
  edge: async ({ hosts, random }: Surroundings) => {
    const place = hosts.pick(random)
    const isKill = random.chance(0.5)
    const [edge, left] = [random.pick(edges), random.between(0, maxMessages)]
    const met = new Promise<unknown>((resolve) => {
      place.way?.ambush(edge, left, () => resolve(isKill ? hosts.kill(place) : undefined))
    })
    await Promise.race([met, sleep(edgeLimitMs)])
    place.way?.callOff()
  },
} satisfies Readonly<Record<string, (around: Surroundings) => Promise<unknown>>>

export const deploy =
  (releases: ReadonlyArray<Release>) =>
  async ({ hosts, random }: Surroundings): Promise<void> => {
    const place = hosts.pick(random)
    const next = releases.find((release) => release !== place.release)
    if (next !== undefined) await hosts.deploy(place, next)
  }
