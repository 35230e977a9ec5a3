import { pass, settle, stopClock } from "@pixcharge/verify/clock"
import { beforeEach } from "vitest"
import { waitMs } from "@pixcharge/verify/postgres"

/**
 * Stops the clock for each test of a file. The clock moves only while the returned function waits and no statement is being
 * executed. That way, slow machines meet all time limits.
 */
export const makeClockAdvancer = (isWorking: () => boolean) => {
  beforeEach(stopClock)

  return async <A>(waiting: Promise<A>): Promise<A> => {
    let isOver = false
    const end = () => {
      isOver = true
    }
    waiting.then(end, end)
    while (!isOver) {
      await settle(isWorking)
      if (!isWorking()) await pass(0.1)
      await waitMs(1)
    }
    return waiting
  }
}
