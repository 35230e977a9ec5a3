import { Logger, makeWorkerUtils, run, WorkerPreset } from "graphile-worker"
import pg from "pg"
import { bounds, type MakeContender } from "./Contender.ts"
import { makeSignedPost } from "./signedPost.ts"

const silent = new Logger(() => () => undefined)

/** graphile-worker, which sends the same POSTs. Its local queue fetches many jobs together. */
export const graphileWorker: MakeContender = async (databaseUrl, receiverUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: bounds.connections })
  pool.on("error", () => undefined)
  pool.on("connect", (client) => client.on("error", () => undefined))
  const utils = await makeWorkerUtils({ pgPool: pool, logger: silent })
  await utils.migrate()
  let filled = 0
  const signedPost = await makeSignedPost(receiverUrl)
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
        logger: silent,
        noHandleSignals: true,
        pollInterval: 500,
        preset: {
          extends: [WorkerPreset],
          worker: { concurrentJobs: bounds.posts, localQueue: { size: 500 }, completeJobBatchDelay: 0 },
        },
        taskList: { deliver: (payload) => signedPost((payload as { id: string }).id) },
      })
    },
    // graphile-worker deletes finished jobs.
    countDelivered: async () => {
      const { rows } = await pool.query("SELECT count(*)::int AS waiting FROM graphile_worker.jobs")
      return filled - (rows[0] as { waiting: number }).waiting
    },
  }
}
