/** How many deliveries one endpoint is sent at once: what its receiver takes, as far as this process has learned it. */
export interface ConcurrencyLimit {
  /** Its whole part counts. */
  readonly atOnce: number
  /** How quickly it answers when it has little to do. */
  readonly bestLatencyMs: number
}

const minAtOnce = 4
const maxAtOnce = 64

/** What is assumed of an endpoint until it has answered. */
export const initialLimit: ConcurrencyLimit = { atOnce: minAtOnce, bestLatencyMs: Number.POSITIVE_INFINITY }

/** A receiver that has become slower for good is measured by its new speed after some thousand answers. */
const weightInBest = 0.001
const slackMs = 5

/**
 * The limit after one more attempt: half of it after a failure; one more for each round of answers that come about as
 * quickly as the best, as long as the limit is reached; and one less for each that take far longer.
 */
export const afterAttempt = (
  limit: ConcurrencyLimit,
  {
    hasFailed,
    latencyMs,
    isFull,
  }: { readonly hasFailed: boolean; readonly latencyMs: number; readonly isFull: boolean },
): ConcurrencyLimit => {
  if (hasFailed) return { ...limit, atOnce: Math.max(limit.atOnce / 2, minAtOnce) }
  const known = limit.bestLatencyMs === Number.POSITIVE_INFINITY ? latencyMs : limit.bestLatencyMs
  const bestLatencyMs = Math.min(latencyMs, known + (latencyMs - known) * weightInBest)
  const step = 1 / limit.atOnce
  const isNearBest = latencyMs <= 2 * bestLatencyMs + slackMs
  const change = isNearBest ? (isFull ? step : 0) : latencyMs > 4 * bestLatencyMs + slackMs ? -step : 0
  return { atOnce: Math.min(Math.max(limit.atOnce + change, minAtOnce), maxAtOnce), bestLatencyMs }
}
