import pg from "pg"
import { PgBoss } from "pg-boss"
import { bounds, type MakeContender } from "./Contender.ts"
import { makeSignedPost } from "./signedPost.ts"

const queue = "events"

/** pg-boss, which sends the same POSTs. Its batches are so large that a worker hardly ever waits. */
export const pgBoss: MakeContender = async (databaseUrl, receiverUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
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
    fill: async (count) => {
      for (let done = 0; done < count; done += 1_000) {
        const jobs = Array.from({ length: Math.min(1_000, count - done) }, (_, index) => ({
          data: { id: `evt_fill_${done + index}` },
        }))
        await boss.insert(queue, jobs)
      }
    },
    start: async () => {
      await boss.work<{ id: string }>(
        queue,
        { batchSize: 500, localConcurrency: 2, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 },
        async (jobs) => {
          await Promise.all(jobs.map(({ data }) => signedPost(data.id)))
        },
      )
    },
    countDelivered: async () => {
      const { rows } = await pool.query(
        "SELECT count(*)::int AS delivered FROM pgboss.job WHERE state = 'completed' AND name = $1",
        [queue],
      )
      return (rows[0] as { delivered: number }).delivered
    },
  }
}
