import { setTimeout as pause } from "node:timers/promises"
import type { HostAnswer } from "../../world/Integrator.ts"

const timeoutMs = 180_000
const betweenMs = 500

/** Repeats a request until it gets a final answer, as the contract requires; undefined after three minutes. */
export const askPatiently = async (ask: () => Promise<HostAnswer | undefined>): Promise<HostAnswer | undefined> => {
  const giveUpAt = performance.now() + timeoutMs
  for (;;) {
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined && answer.status < 500 && answer.status !== 429) return answer
    if (performance.now() > giveUpAt) return answer
    await pause(betweenMs)
  }
}
