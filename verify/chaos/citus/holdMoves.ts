import type { ClusterNode } from "./Cluster.ts"

/** Moves, splits and isolations that wait. */
export interface HeldMoves {
  /** Resolves once one waits. */
  readonly met: () => Promise<void>
  /** Lets them go on. */
  readonly release: () => Promise<void>
}

const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'pg_dist_placement'::regclass`

/** Holds them up where they write down where a shard is from now on, which is after they have stopped its writes on every node. */
export const holdMoves = async ({ pool }: ClusterNode): Promise<HeldMoves> => {
  const session = await pool.connect()
  await session.query("BEGIN")
  await session.query("LOCK TABLE pg_dist_placement IN SHARE MODE")
  return {
    met: async () => {
      while ((await session.query(waits)).rowCount === 0) await new Promise((resume) => void setTimeout(resume, 20))
    },
    release: async () => {
      await session.query("COMMIT")
      session.release()
    },
  }
}
