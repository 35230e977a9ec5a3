import { compareRounds } from "../compareRounds.ts"
import { issueOnce, load } from "./load.ts"
import type { Variant } from "./serve.ts"
import type { Server } from "./startServer.ts"

const connections = 64
const turnMs = 1_000
/** The number of rounds after which V8 has compiled the hot code. */
const warmUpRounds = 2

/** Nanoseconds per request in one turn. */
export interface Turn {
  readonly wall: number
  /** The server's processor time. */
  readonly cpu: number
}

export type Turns = ReadonlyMap<Variant, ReadonlyArray<Turn>>

const takeTurn = async (server: Server, kind: "issue" | "status", ids: ReadonlyArray<string>): Promise<Turn> => {
  const before = await server.cpuNs()
  const { port, token } = server
  const { elapsedMs, count } = await load({ port, token, connections, kind, ids, durationMs: turnMs })
  return { wall: (elapsedMs * 1e6) / count, cpu: ((await server.cpuNs()) - before) / count }
}

/**
 * Loads the running servers in turns of a second for many rounds, because a machine's speed drifts within a minute but
 * hardly within a second. Every second round has the reverse order, so a server doesn't always follow the same
 * one.
 */
export const takeTurns = async (
  servers: ReadonlyArray<Server>,
  kind: "issue" | "status",
  rounds: number,
): Promise<Turns> => {
  const ids = new Map<Variant, ReadonlyArray<string>>()
  const turns = new Map<Variant, Array<Turn>>()
  for (const server of servers) {
    ids.set(server.variant, kind === "status" ? await issueOnce({ ...server, count: 500 }) : [])
    turns.set(server.variant, [])
  }
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      const turn = await takeTurn(server, kind, ids.get(server.variant) ?? [])
      if (round >= 0) turns.get(server.variant)?.push(turn)
    }
  }
  return turns
}

export const compare = (turns: Turns, ours: Variant, theirs: Variant, of: keyof Turn) => {
  const [mine, other] = [ours, theirs].map((variant) => (turns.get(variant) ?? []).map((turn) => turn[of]))
  return compareRounds(mine ?? [], other ?? [])
}
