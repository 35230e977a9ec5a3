import pg from "pg"
import PgBoss from "pg-boss"
import { type MakeContender, steadyMs } from "./Contender.ts"
import { signedPost } from "./signedPost.ts"

const queue = "events"
// Batches so large that a worker never waits for its next turn: the fastest that was found.
const batchSize = 500
const workers = 2

/** pg-boss doing the same POSTs in its jobs. */
export const pgBoss: MakeContender = async (databaseUrl, receiverUrl) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  const boss = new PgBoss({ connectionString: databaseUrl, max: 10, supervise: false, schedule: false })
  await boss.start()
  await boss.createQueue(queue)
  let commits = 0
  return {
    fill: async (count) => {
      for (let done = 0; done < count; done += 1_000) {
        const jobs = Array.from({ length: Math.min(1_000, count - done) }, (_, index) => ({
          name: queue,
          data: { id: `evt_fill_${done + index}` },
        }))
        await boss.insert(jobs)
      }
    },
    start: async () => {
      for (let worker = 0; worker < workers; worker++) {
        await boss.work<{ id: string }>(queue, { batchSize, pollingIntervalSeconds: 0.5 }, async (jobs) => {
          await Promise.all(jobs.map(({ data }) => signedPost(receiverUrl, data.id)))
        })
      }
    },
    delivered: async () => {
      const { rows } = await pool.query(
        "SELECT count(*)::int AS delivered FROM pgboss.job WHERE state = 'completed' AND name = $1",
        [queue],
      )
      return (rows[0] as { delivered: number }).delivered
    },
    commit: async () => {
      const id = `evt_commit_${commits++}`
      await boss.send(queue, { id })
      return { id, at: steadyMs() }
    },
  }
}
