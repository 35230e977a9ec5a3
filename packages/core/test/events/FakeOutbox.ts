import {
  type DeliveryAttempt,
  type DeliveryFate,
  type DueChecks,
  type DueDelivery,
  type NewDelivery,
  type Outbox,
  type QueueLease,
  StoreUnavailable,
} from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export interface Row extends NewDelivery {
  state: "waiting" | "delivered" | "dead" | "superseded"
  nextAt: number
  attempts: number
  readonly fates: Array<DeliveryFate["_tag"]>
  readonly log: Array<DeliveryAttempt>
}

type Operation = "claim" | "read" | "settle" | "renew" | "release" | "look"

/** An outbox in memory, with switches for failures and delays. */
export const makeFakeOutbox = () => {
  const rows: Array<Row> = []
  const leases = new Map<string, { readonly token: string; until: number }>()
  let tokens = 0
  const failing: Record<Operation, boolean | "with a defect"> = {
    claim: false,
    read: false,
    settle: false,
    renew: false,
    release: false,
    look: false,
  }
  /** Milliseconds until an answer, or until a settlement or release takes effect (`settleMs`, `releaseMs`). */
  const slow = { claimMs: 0, readMs: 0, settleMs: 0, releaseMs: 0, releasedMs: 0 }
  const calls: Record<Operation, number> = { claim: 0, read: 0, settle: 0, renew: 0, release: 0, look: 0 }
  /** If `claims` is true, a claim returns queues without deliveries. */
  const bare = { claims: false }
  const excepted: Array<ReadonlyArray<string>> = []
  /** The `limit` of each claim. */
  const limits: Array<number> = []

  const add = (event: PixEvent, endpointId: string, nextAt = 0): Row => {
    const row: Row = { event, endpointId, state: "waiting", nextAt, attempts: 0, fates: [], log: [] }
    rows.push(row)
    return row
  }

  const failWhen = (operation: Operation) =>
    Effect.suspend(() => {
      calls[operation]++
      if (failing[operation] === "with a defect") return Effect.die(new TypeError("the store broke"))
      return failing[operation] ? Effect.fail(new StoreUnavailable({ operation })) : Effect.void
    })

  const queueKey = ({ issuer, endpointId }: Pick<QueueLease, "issuer" | "endpointId">) => `${issuer} ${endpointId}`
  const holds = (lease: QueueLease) => leases.get(queueKey(lease))?.token === lease.token

  const dueIn = ({ issuer, endpointId }: Pick<QueueLease, "issuer" | "endpointId">, now: number, limit: number) => {
    const due = rows.filter(
      (row) =>
        row.event.issuer === issuer && row.endpointId === endpointId && row.state === "waiting" && row.nextAt <= now,
    )
    return due.slice(0, limit).map(({ event, attempts }): DueDelivery => {
      const attempt = attempts + 1
      return { event, endpointId, attempt, number: attempt }
    })
  }

  const setEnd = (lease: QueueLease, until: number) => {
    const held = leases.get(queueKey(lease))
    if (held?.token !== lease.token) return []
    held.until = until
    return [lease.token]
  }

  const outbox: Pick<Outbox["Service"], Exclude<Operation, "look">> = {
    claim: Effect.fnUntraced(function* ({ now, limit, deliveries, leaseMs, excludedEndpoints = [] }) {
      yield* failWhen("claim")
      excepted.push(excludedEndpoints)
      limits.push(limit)
      const clock = yield* Clock.currentTimeMillis
      const free = new Map<string, { readonly issuer: QueueLease["issuer"]; readonly endpointId: string }>()
      for (const { event, endpointId, state, nextAt } of rows) {
        const queue = { issuer: event.issuer, endpointId }
        const isFree = (leases.get(queueKey(queue))?.until ?? 0) <= clock
        if (state === "waiting" && nextAt <= now && isFree && !excludedEndpoints.includes(endpointId)) {
          free.set(queueKey(queue), queue)
        }
      }
      const claimed = [...free].slice(0, limit).map(([key, queue]) => {
        const token = `t${++tokens}`
        leases.set(key, { token, until: clock + leaseMs })
        return { lease: { ...queue, token }, due: bare.claims ? [] : dueIn(queue, now, deliveries) }
      })
      const taken = new Set(claimed.flatMap(({ due }) => due.map(({ event }) => event.id)))
      const later = rows.flatMap(({ event, state, nextAt }) =>
        state === "waiting" && !taken.has(event.id) ? [nextAt] : [],
      )
      yield* Effect.sleep(slow.claimMs)
      return { queues: claimed, ...(later.length > 0 && { nextDueAt: Math.min(...later) }) }
    }),
    read: Effect.fnUntraced(function* (queues, now) {
      yield* failWhen("read")
      const found = queues.flatMap(({ lease, limit }) =>
        holds(lease) ? [{ lease, due: dueIn(lease, now, limit) }] : [],
      )
      yield* Effect.sleep(slow.readMs)
      return found
    }),
    renew: Effect.fnUntraced(function* (held, leaseMs) {
      yield* failWhen("renew")
      const until = (yield* Clock.currentTimeMillis) + leaseMs
      return held.flatMap((lease) => setEnd(lease, until))
    }),
    release: Effect.fnUntraced(function* (held, restMs = 0) {
      yield* failWhen("release")
      yield* Effect.sleep(slow.releaseMs)
      const until = (yield* Clock.currentTimeMillis) + restMs
      for (const lease of held) setEnd(lease, until)
      yield* Effect.sleep(slow.releasedMs)
    }),
    settle: Effect.fnUntraced(function* (settlements, _now) {
      yield* failWhen("settle")
      yield* Effect.sleep(slow.settleMs)
      const recorded = settlements.flatMap(({ lease, eventId, number, fate, attempt }) => {
        const { issuer, endpointId } = lease
        const row = rows.find((one) => one.event.id === eventId && one.endpointId === endpointId)
        if (row === undefined || !holds(lease) || row.attempts !== number - 1) return []
        row.fates.push(fate._tag)
        row.log.push(attempt)
        row.attempts++
        if (fate._tag === "Delivered") row.state = "delivered"
        else if (row.state === "waiting" && fate._tag === "Dead") row.state = "dead"
        else if (fate._tag === "Retry") row.nextAt = fate.at
        return [{ issuer, eventId, endpointId }]
      })
      const released = settlements.flatMap(({ lease, releases }) => (releases ? [lease] : []))
      if (released.length > 0) yield* outbox.release(released)
      return recorded
    }),
  }

  const look: DueChecks["Service"]["look"] = (now) =>
    Effect.map(failWhen("look"), () => {
      const waiting = rows.filter(({ state }) => state === "waiting")
      const oldestAt = Math.min(...waiting.map(({ event }) => event.occurredAt))
      const kinds = new Set(waiting.some(({ nextAt }) => nextAt <= now) ? (["deliveries"] as const) : [])
      return { kinds, depth: { waiting: waiting.length, ...(waiting.length > 0 && { oldestAt }) } }
    })

  /** Endpoints of the queues that are leased at this time. */
  const leasedAt = (now: number) => [...leases].flatMap(([key, { until }]) => (until > now ? [key.split(" ")[1]] : []))

  /** Leases a queue to another process. */
  const takeOver = (endpointId: string, until: number) => {
    for (const key of leases.keys()) if (key.endsWith(` ${endpointId}`)) leases.set(key, { token: "another's", until })
  }

  return {
    rows,
    add,
    failing,
    slow,
    bare,
    calls,
    excepted,
    limits,
    leasedAt,
    takeOver,
    outbox: outbox as Outbox["Service"],
    checks: { look } as DueChecks["Service"],
  }
}
