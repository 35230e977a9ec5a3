import { Logger, makeWorkerUtils, run } from "graphile-worker"
import pg from "pg"
import { type MakeContender, steadyMs } from "./Contender.ts"
import { signedPost } from "./signedPost.ts"

const silent = new Logger(() => () => undefined)

/** As many at once as ours may send. */
const concurrency = 64

/** graphile-worker doing the same POSTs in its tasks. */
export const graphileWorker: MakeContender = async (databaseUrl, receiverUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
  const utils = await makeWorkerUtils({ pgPool: pool, logger: silent })
  await utils.migrate()
  let filled = 0
  let commits = 0
  return {
    fill: async (count) => {
      filled += count
      await pool.query(
        `SELECT graphile_worker.add_jobs(ARRAY(
           SELECT ROW('deliver', json_build_object('id', 'evt_fill_' || n), NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
           FROM generate_series(1, $1) AS n
         ))`,
        [count],
      )
    },
    start: async () => {
      await run({
        pgPool: pool,
        concurrency,
        logger: silent,
        noHandleSignals: true,
        pollInterval: 500,
        taskList: { deliver: (payload) => signedPost(receiverUrl, (payload as { id: string }).id) },
      })
    },
    // A job that is done is deleted.
    delivered: async () => {
      const { rows } = await pool.query("SELECT count(*)::int AS waiting FROM graphile_worker.jobs")
      return filled + commits - (rows[0] as { waiting: number }).waiting
    },
    commit: async () => {
      const id = `evt_commit_${commits++}`
      await utils.addJob("deliver", { id })
      return { id, at: steadyMs() }
    },
  }
}
