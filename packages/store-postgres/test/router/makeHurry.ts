import { pass, stopClock } from "@pixcharge/verify/clock"
import { beforeEach } from "vitest"
import { waitMs } from "../waiting.ts"

const turns = 30

/**
 * Stops the clock for each test of a file. It moves only while the returned function waits for something and no statement is
 * being carried out, so that no machine is too slow for a limit.
 */
export const makeHurry = (isWorking: () => boolean) => {
  beforeEach(stopClock)

  /** Whether all that can be done by now is done. */
  const isIdle = async (): Promise<boolean> => {
    for (let turn = 0; turn < turns; turn++) {
      await new Promise((resume) => void setImmediate(resume))
      if (isWorking()) return false
    }
    return true
  }

  return async <A>(waiting: Promise<A>): Promise<A> => {
    let isOver = false
    const end = () => {
      isOver = true
    }
    waiting.then(end, end)
    while (!isOver) {
      if (await isIdle()) await pass(0.1)
      await waitMs(1)
    }
    return waiting
  }
}
