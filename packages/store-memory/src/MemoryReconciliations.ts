import { type ClaimedReconciliation, farthestAheadMs, type Reconciliation, Reconciliations } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { earliest } from "./earliest.ts"
import type { MemoryState } from "./MemoryState.ts"

interface Row {
  reconciliation: Reconciliation
  nextAt: number
  lease: { readonly token: string; readonly until: number } | undefined
}

/** How far each company was compared with its processor, in this process. */
export const makeReconciliations = ({ companies }: MemoryState): Reconciliations["Service"] => {
  const rows = new Map<Cnpj, Row>()
  let tokens = 0

  const enter = (now: number): number => {
    let count = 0
    for (const [issuer, { charges }] of companies) {
      if (rows.has(issuer) || charges.size === 0) continue
      let since = Infinity
      for (const { charge } of charges.values()) since = Math.min(since, charge.createdAt)
      rows.set(issuer, { reconciliation: { issuer, since, reconciledUntil: since }, nextAt: now, lease: undefined })
      count += 1
    }
    return count
  }

  const isDue = ({ reconciliation, nextAt, lease }: Row, now: number): boolean => {
    const has = (moment: number) => moment <= now || moment > now + farthestAheadMs
    return (
      (has(nextAt) || reconciliation.reconciledUntil > now + farthestAheadMs) &&
      (lease === undefined || has(lease.until))
    )
  }

  const claim = (now: number, leaseMs: number): ClaimedReconciliation | undefined => {
    const [first] = earliest([rows.values()], (row) => (isDue(row, now) ? row.nextAt : undefined), 1)
    if (first === undefined) return undefined
    tokens += 1
    first.lease = { token: String(tokens), until: now + leaseMs }
    return { ...first.reconciliation, leaseToken: first.lease.token }
  }

  return Reconciliations.of({
    enter: (now) => Effect.sync(() => enter(now)),
    claim: ({ now, leaseMs }) => Effect.sync(() => claim(now, leaseMs)),
    save: ({ leaseToken, ...reconciliation }, turn) =>
      Effect.sync(() => {
        const row = rows.get(reconciliation.issuer)
        if (row === undefined || row.lease?.token !== leaseToken) return false
        row.reconciliation = reconciliation
        row.lease = turn._tag === "Keep" ? { token: leaseToken, until: turn.leaseUntil } : undefined
        if (turn._tag === "Release") row.nextAt = turn.nextAt
        return true
      }),
  })
}
