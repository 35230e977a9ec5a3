import { load } from "../http/load.ts"
import type { Server } from "../http/startServer.ts"

/** The processor time so far in nanoseconds, by group of processes. */
export interface Parts {
  readonly hosts: number
  readonly postgres: number
  readonly pgbouncer: number
  readonly load: number
}

export interface Turn {
  readonly count: number
  readonly elapsedNs: number
  readonly used: Parts
}

/** The connections to each server. With fewer connections, fewer charges would share a statement. */
const connections = 64

const ownNs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1_000
}

export interface Setting {
  readonly name: string
  readonly servers: ReadonlyArray<Server>
  readonly postgresNs: () => number
  readonly pgbouncerNs: () => number
}

const readParts = ({ servers, postgresNs, pgbouncerNs }: Setting): Parts => ({
  hosts: servers.reduce((sum, { cpuNs }) => sum + cpuNs(), 0),
  postgres: postgresNs(),
  pgbouncer: pgbouncerNs(),
  load: ownNs(),
})

export const takeTurn = async (setting: Setting, durationMs: number): Promise<Turn> => {
  const { servers } = setting
  const before = readParts(setting)
  const answers = await Promise.all(
    servers.map(({ port, token }) => load({ port, token, connections, durationMs, kind: "issue", ids: [] })),
  )
  const after = readParts(setting)
  return {
    count: answers.reduce((sum, { count }) => sum + count, 0),
    elapsedNs: Math.max(...answers.map(({ elapsedMs }) => elapsedMs)) * 1e6,
    used: {
      hosts: after.hosts - before.hosts,
      postgres: after.postgres - before.postgres,
      pgbouncer: after.pgbouncer - before.pgbouncer,
      load: after.load - before.load,
    },
  }
}
