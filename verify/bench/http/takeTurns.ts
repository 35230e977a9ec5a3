import type { Cost, Meter } from "../costs.ts"
import { issueOnce, load } from "./load.ts"
import type { Variant } from "./serve.ts"
import type { Server } from "./startServer.ts"

const connections = 64
const turnMs = 500
/** The number of rounds after which V8 has compiled the hot code. */
const warmUpRounds = 4

export type Turns = Readonly<Partial<Record<Variant, ReadonlyArray<Cost>>>>

/**
 * Loads the running servers in short turns for many rounds, because a machine's speed drifts within a minute but hardly
 * within a second. Every second round has the reverse order, so a server doesn't always follow the same one.
 */
export const takeTurns = async (
  servers: ReadonlyArray<Server>,
  meter: Meter,
  kind: "issue" | "status",
  rounds: number,
): Promise<Turns> => {
  const contenders: Array<Server & { readonly ids: ReadonlyArray<string>; readonly costs: Array<Cost> }> = []
  for (const server of servers) {
    const ids = kind === "status" ? await issueOnce({ ...server, count: 500 }) : []
    contenders.push({ ...server, ids, costs: [] })
  }
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const { port, token, ids, cpuNs, costs } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const plan = { port, token, connections, kind, ids, durationMs: turnMs }
      const cost = await meter.measure(cpuNs, async () => (await load(plan)).count)
      if (round >= 0) costs.push(cost)
    }
  }
  return Object.fromEntries(contenders.map(({ variant, costs }) => [variant, costs]))
}
