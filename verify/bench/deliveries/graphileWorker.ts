import { Logger, makeWorkerUtils, run, WorkerPreset } from "graphile-worker"
import { bounds, count, type MakeContender, openPool } from "./Contender.ts"
import { makeSignedPost } from "./signedPost.ts"

const logger = new Logger(() => () => undefined)

/** graphile-worker, which sends the same POSTs. Its local queue fetches many jobs together. */
export const graphileWorker: MakeContender = async (databaseUrl, receiverUrl) => {
  const pgPool = openPool(databaseUrl)
  const utils = await makeWorkerUtils({ pgPool, logger })
  await utils.migrate()
  let filled = 0
  const signedPost = await makeSignedPost(receiverUrl)
  return {
    fill: (jobs) => {
      filled += jobs
      return pgPool.query(
        `SELECT graphile_worker.add_jobs(ARRAY(
           SELECT ROW('deliver', json_build_object('id', 'evt_fill_' || n), NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
           FROM generate_series(1, $1) AS n
         ))`,
        [jobs],
      )
    },
    start: () =>
      run({
        pgPool,
        logger,
        noHandleSignals: true,
        pollInterval: 500,
        preset: {
          extends: [WorkerPreset],
          worker: { concurrentJobs: bounds.posts, localQueue: { size: 500 }, completeJobBatchDelay: 0 },
        },
        taskList: { deliver: (payload) => signedPost((payload as { id: string }).id) },
      }),
    // graphile-worker deletes finished jobs.
    countDelivered: async () => filled - (await count(pgPool, "graphile_worker.jobs")),
  }
}
