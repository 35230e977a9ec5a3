import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

/** What is still in use of this process's memory once garbage was collected. */
export const heapBytes = async (): Promise<number> => {
  // Twice: what ends with the last request, and what its collection lets go of, is garbage only then.
  for (let times = 0; times < 2; times++) {
    await new Promise(setImmediate)
    collect()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
