import { PgBoss } from "pg-boss"
import { bounds, count, type MakeContender, openPool } from "./Contender.ts"
import { makeSignedPost } from "./signedPost.ts"

const queue = "events"

/** pg-boss, which sends the same POSTs. Its batches are so large that a worker hardly ever waits. */
export const pgBoss: MakeContender = async (databaseUrl, receiverUrl) => {
  const pool = openPool(databaseUrl)
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: bounds.connections,
    supervise: false,
    schedule: false,
    useListenNotify: true,
  })
  await boss.start()
  await boss.createQueue(queue, { notify: true })
  const signedPost = await makeSignedPost(receiverUrl)
  return {
    fill: (jobs) =>
      boss.insert(
        queue,
        Array.from({ length: jobs }, (_, index) => ({ data: { id: `evt_fill_${index}` } })),
      ),
    start: () =>
      boss.work<{ id: string }>(
        queue,
        { batchSize: 500, localConcurrency: 2, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 },
        async (jobs) => void (await Promise.all(jobs.map(({ data }) => signedPost(data.id)))),
      ),
    countDelivered: () => count(pool, `pgboss.job WHERE state = 'completed' AND name = '${queue}'`),
  }
}
