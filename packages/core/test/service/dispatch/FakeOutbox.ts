import type { ClaimedDelivery, DeliveryAttempt, DeliveryFate, NewDelivery, Outbox, PixEvent } from "@pixcharge/core"
import { StoreUnavailable } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export interface Row extends NewDelivery {
  state: "waiting" | "delivered" | "dead" | "superseded"
  nextAt: number
  attempts: number
  leaseToken: string | undefined
  leaseUntil: number
  readonly fates: Array<DeliveryFate["_tag"]>
  readonly log: Array<DeliveryAttempt>
}

/** An outbox in a list: just enough of the port for the dispatcher, with switches for what can go wrong. */
export const makeFakeOutbox = () => {
  const rows: Array<Row> = []
  let tokens = 0
  const failing: Record<"claim" | "settle" | "renew", boolean | "with a defect"> = {
    claim: false,
    settle: false,
    renew: false,
  }
  /** How long a claim's answer takes, and how long it is until a settlement holds. */
  const slow = { claimMs: 0, settleMs: 0 }
  const calls = { claim: 0, settle: 0, renew: 0 }
  const excepted: Array<ReadonlyArray<string>> = []

  const add = (event: PixEvent, endpointId: string, nextAt = 0): Row => {
    const row: Row = {
      event,
      endpointId,
      state: "waiting",
      nextAt,
      attempts: 0,
      leaseToken: undefined,
      leaseUntil: 0,
      fates: [],
      log: [],
    }
    rows.push(row)
    return row
  }

  const failWhen = (operation: keyof typeof failing) =>
    Effect.suspend(() => {
      calls[operation]++
      if (failing[operation] === "with a defect") return Effect.die(new TypeError("the store broke"))
      return failing[operation] ? Effect.fail(new StoreUnavailable({ operation })) : Effect.void
    })

  const holder = (token: string) => rows.find((row) => row.leaseToken === token)

  const outbox: Pick<Outbox["Service"], "claim" | "renew" | "settle" | "depth"> = {
    claim: Effect.fnUntraced(function* ({ now, limit, leaseMs, except = [] }) {
      yield* failWhen("claim")
      excepted.push(except)
      const clock = yield* Clock.currentTimeMillis
      const due = rows.filter(
        (row) =>
          row.state === "waiting" && row.nextAt <= now && row.leaseUntil <= clock && !except.includes(row.endpointId),
      )
      const claims = due.slice(0, limit).map((row): ClaimedDelivery => {
        row.leaseToken = `t${++tokens}`
        row.leaseUntil = clock + leaseMs
        return { event: row.event, endpointId: row.endpointId, attempt: row.attempts + 1, leaseToken: row.leaseToken }
      })
      yield* Effect.sleep(slow.claimMs)
      return claims
    }),
    renew: Effect.fnUntraced(function* (claims, leaseMs) {
      yield* failWhen("renew")
      const until = (yield* Clock.currentTimeMillis) + leaseMs
      const held = claims.map(({ leaseToken }) => holder(leaseToken)).filter((row) => row?.state === "waiting")
      for (const row of held) if (row) row.leaseUntil = until
      return held.flatMap((row) => row?.leaseToken ?? [])
    }),
    settle: Effect.fnUntraced(function* (settlements, _now) {
      yield* failWhen("settle")
      yield* Effect.sleep(slow.settleMs)
      return settlements.flatMap(({ leaseToken, fate, attempt }) => {
        const row = holder(leaseToken)
        if (row === undefined) return []
        row.leaseToken = undefined
        row.leaseUntil = 0
        row.fates.push(fate._tag)
        if (attempt) row.log.push(attempt)
        if (fate._tag === "Delivered") row.state = "delivered"
        else if (row.state === "waiting" && fate._tag === "Dead") row.state = "dead"
        else if (fate._tag === "Retry") row.nextAt = fate.at
        if (fate._tag !== "Postponed") row.attempts++
        return [leaseToken]
      })
    }),
    depth: Effect.sync(() => {
      const waiting = rows.filter(({ state }) => state === "waiting")
      const oldestAt = Math.min(...waiting.map(({ event }) => event.occurredAt))
      return { waiting: waiting.length, ...(waiting.length > 0 && { oldestAt }) }
    }),
  }

  return { rows, add, failing, slow, calls, excepted, outbox: outbox as Outbox["Service"] }
}
