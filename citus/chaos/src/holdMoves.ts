import type { ClusterNode } from "./Cluster.ts"

/** Moves, splits and isolations that wait. */
export interface HeldMoves {
  /** Waits for the first that begins; the shards whose writes it has stopped on every node. */
  readonly stopped: () => Promise<ReadonlySet<string>>
  /** Lets them go on. */
  readonly release: () => Promise<void>
}

const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'pg_dist_placement'::regclass`

/** Citus's locks of the metadata of shards are advisory locks of its class 4. */
const stoppedShards = `SELECT objid::text AS id FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 4 AND mode = 'ExclusiveLock' AND granted`

/** Holds them up where they say where a shard is from now on, which is after they have stopped its writes. */
export const holdMoves = async ({ pool }: ClusterNode): Promise<HeldMoves> => {
  const session = await pool.connect()
  await session.query("BEGIN")
  await session.query("LOCK TABLE pg_dist_placement IN SHARE MODE")
  return {
    stopped: async () => {
      while ((await session.query(waits)).rowCount === 0) await new Promise((resume) => void setTimeout(resume, 20))
      return new Set((await session.query<{ id: string }>(stoppedShards)).rows.map(({ id }) => id))
    },
    release: async () => {
      await session.query("COMMIT")
      session.release()
    },
  }
}
