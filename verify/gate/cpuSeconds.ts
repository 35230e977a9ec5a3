import { readFileSync } from "node:fs"

/** Fields of `/proc/self/stat` after the name: user and system time of the process and of its ended children. */
const times = [11, 12, 13, 14]
/** The kernel's clock ticks a second, on every architecture that Node supports. */
const ticksPerSecond = 100

/**
 * The processor time of this process and of its ended children in seconds, as `time` counts it; "unknown" outside
 * Linux.
 */
export const cpuSeconds = (): string => {
  if (process.platform !== "linux") return "unknown"
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? []
  const ticks = times.reduce((sum, field) => sum + Number(fields[field]), 0)
  return (ticks / ticksPerSecond).toFixed(1)
}
