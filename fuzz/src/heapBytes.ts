import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

/** What is still in use of this process's memory once garbage was collected. */
export const heapBytes = async (): Promise<number> => {
  // What ended with the last request is let go of first.
  await new Promise(setImmediate)
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
