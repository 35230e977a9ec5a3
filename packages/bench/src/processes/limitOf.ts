import { availableParallelism } from "node:os"
import type { Turn } from "./Turn.ts"

/** From this share on a part has no more to give: what is missing is the time between two readings. */
const full = 0.9

/** What kept a turn from issuing more. */
export const limitOf = ({ elapsedNs, used }: Turn): string => {
  if (used.idle < (1 - full) * elapsedNs * availableParallelism())
    return `the machine's ${availableParallelism()} cores`
  if (Math.max(...used.hosts) > full * elapsedNs) return "the thread of a host process"
  if (used.pgbouncer > full * elapsedNs) return "the thread of pgbouncer"
  if (used.load > full * elapsedNs) return "the process that asks"
  return "the disk, which commits wait for"
}
