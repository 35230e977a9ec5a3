import { compareRounds } from "../compareRounds.ts"
import { issueOnce, load } from "./load.ts"
import type { Variant } from "./serve.ts"
import type { Server } from "./startServer.ts"

const connections = 64
const turnMs = 1_000
/** Rounds before the first that counts: V8 has compiled the hot code after them. */
const warmUpRounds = 2

/** What a request cost in one turn, in nanoseconds. */
export interface Turn {
  /** Of the clock. */
  readonly wall: number
  /** Of the server's processor time. */
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
 * Loads servers that are all up, one after the other, a second each, in many rounds: the speed of a machine drifts within a
 * minute, and hardly from one second to the next. Every other round goes backwards, so that none always follows the same one.
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

/** How many times as cheap a request is on ours as on theirs. */
export const compare = (turns: Turns, ours: Variant, theirs: Variant, of: keyof Turn) => {
  const [mine, other] = [ours, theirs].map((variant) => (turns.get(variant) ?? []).map((turn) => turn[of]))
  return compareRounds(mine ?? [], other ?? [])
}
