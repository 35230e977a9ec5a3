import type { Connection } from "@pixcharge/store-postgres"
import { openStore } from "./openStore.ts"

/** Opens a store and records its statements. `before` sets a function to run before the next statement. */
export const openCounted = async (pool: Connection) => {
  const sent: Array<string> = []
  let meanwhile: (() => Promise<void>) | undefined
  let isLost = false
  const connection: Connection = {
    query: async (statement) => {
      sent.push(statement.text)
      const action = meanwhile
      meanwhile = undefined
      await action?.()
      const answer = await pool.query(statement)
      if (isLost) {
        isLost = false
        throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })
      }
      return answer
    },
  }
  const opened = await openStore({ db: connection })
  return {
    ...opened,
    statements: async <A>(work: () => Promise<A>) => {
      sent.length = 0
      await work()
      return [...sent]
    },
    loseNextAnswer: () => {
      isLost = true
    },
    before: (action: () => Promise<void>) => {
      meanwhile = action
    },
  }
}
