import { aChargeId, aCnpj, aPendingCharge, aTestEvent, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"

const pool = await realPostgres()

describe("bad rows", () => {
  it("a key that can't exist fails only its own look-up", async () => {
    const { store } = await openStore({ db: pool })
    const charges = Array.from({ length: 20 }, () => aPendingCharge())
    await run(Effect.all(charges.map(store.insert), { concurrency: "unbounded" }))
    const keys = [...charges, { issuer: aCnpj, id: "no UUID" as never }, { issuer: "\0" as never, id: aChargeId() }]
    const answers = await Promise.allSettled(keys.toReversed().map(({ issuer, id }) => run(store.find(issuer, id))))
    const found = answers.toReversed()
    expect(found.slice(0, 20)).toEqual(charges.map((value) => ({ status: "fulfilled", value })))
    for (const answer of found.slice(20)) expect(answer).toMatchObject({ reason: { cause: { kind: "badValue" } } })
  })

  it("a delivery without a stored duration is replayed with other deliveries", async () => {
    const { outbox } = await openStore({ db: pool })
    const events = [aTestEvent(), aTestEvent()]
    for (const event of events) await run(outbox.add({ event, endpointId: "loja" }, fixtureNow))
    const { queues } = await run(outbox.claim({ now: fixtureNow, limit: 1, deliveries: 10, leaseMs: 60_000 }))
    const settlements = queues.flatMap(({ lease, due }) =>
      due.map(({ event }) => ({
        lease,
        eventId: event.id,
        number: 1,
        fate: { _tag: "Delivered" as const },
        attempt: { startedAt: fixtureNow, latencyMs: 12, status: 200 },
      })),
    )
    expect(await run(outbox.settle(settlements, fixtureNow))).toHaveLength(2)
    await pool.query("UPDATE pixcharge.settled_deliveries SET attempt_latency_ms = NULL WHERE event_id = $1", [
      events[0]?.id,
    ])
    expect(await run(outbox.replay(aCnpj, { period: { from: 0, until: fixtureNow + 1 } }, fixtureNow))).toBe(2)
  })
})
