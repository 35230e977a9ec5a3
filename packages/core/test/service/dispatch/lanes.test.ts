import type { ClaimedDelivery, Settlement } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { Verdict } from "../../../src/service/dispatch/attempt.ts"
import { makeLanes } from "../../../src/service/dispatch/lanes.ts"
import { eventCalled, failure } from "./dispatching.ts"

const hour = 3_600_000

describe("lanes", () => {
  it("a rest ends by the time that passes, not by what the calendar's clock is set to", () => {
    let businessMs = 10 * hour
    let monotonicMs = 0
    const real = Effect.runSync(Clock.clockWith(Effect.succeed))
    const clock: Clock.Clock = Object.assign(Object.create(real), {
      currentTimeMillisUnsafe: () => businessMs,
      monotonicTimeNanosUnsafe: () => BigInt(monotonicMs) * 1_000_000n,
    })
    const attempt = { startedAt: 0, latencyMs: 1, status: 500 }
    const verdict: Verdict = { _tag: "Attempted", outcome: failure, fate: { _tag: "Retry", at: 0 }, attempt }
    const settled: Array<Settlement> = []
    const lanes = makeLanes({
      leaseMs: 30_000,
      clock,
      attempt: () => Effect.succeed(verdict),
      settle: (settlement) => settled.push(settlement),
      start: (one, conclude) => conclude(Effect.runSync(one)),
    })
    const tell = (id: string) => {
      const claim: ClaimedDelivery = { event: eventCalled(id), endpointId: "a", attempt: 1, leaseToken: id }
      lanes.accept(claim, monotonicMs)
      lanes.pumpMarked()
    }
    for (let n = 0; n < 5; n++) tell(`evt_${n}`)
    tell("evt_while_it_rests")
    expect(settled.map(({ fate }) => fate._tag)).toEqual([...Array(5).fill("Retry"), "Postponed"])
    businessMs -= hour
    monotonicMs += 5_000
    tell("evt_probe")
    expect(settled.at(-1)?.fate._tag).toBe("Retry")
  })
})
