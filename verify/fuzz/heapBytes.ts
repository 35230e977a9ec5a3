import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

export const heapBytes = async (): Promise<number> => {
  // Collects twice, because the first collection makes further objects garbage.
  for (let times = 0; times < 2; times++) {
    await new Promise(setImmediate)
    collect()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
