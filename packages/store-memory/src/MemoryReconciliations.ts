import {
  type ClaimedReconciliation,
  clockToleranceMs,
  farthestAheadMs,
  type Reconciliation,
  Reconciliations,
  wakeRestMs,
  type WaitingCharge,
  type WaitingSearch,
} from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { earliest } from "./earliest.ts"
import type { MemoryState } from "./MemoryState.ts"

const dayMs = 86_400_000

interface Row {
  reconciliation: Reconciliation
  nextAt: number
  /** When somebody woke the company; undefined once its turn has been taken. */
  wokenAt: number | undefined
  lease: { readonly token: string; readonly until: number } | undefined
}

/** How far each company was compared with its processor, in this process. */
export const makeReconciliations = ({ companies }: MemoryState): Reconciliations["Service"] => {
  const rows = new Map<Cnpj, Row>()
  let tokens = 0

  const enterCompany = (issuer: Cnpj, now: number): Row | undefined => {
    const known = rows.get(issuer)
    const charges = companies.get(issuer)?.charges
    if (known !== undefined || charges === undefined || charges.size === 0) return known
    let since = Infinity
    for (const { charge } of charges.values()) since = Math.min(since, charge.createdAt)
    const reconciliation = { issuer, since, reconciledUntil: since, returnsDueAt: now + dayMs }
    const row: Row = { reconciliation, nextAt: now, wokenAt: undefined, lease: undefined }
    rows.set(issuer, row)
    return row
  }

  const enter = (now: number): number => {
    const before = rows.size
    for (const issuer of companies.keys()) enterCompany(issuer, now)
    return rows.size - before
  }

  const wake = (issuer: Cnpj, now: number): void => {
    const row = enterCompany(issuer, now)
    if (row !== undefined) row.wokenAt = Math.min(row.wokenAt ?? now, now)
  }

  /** When its turn came; undefined if it has not come. */
  const turnAt = ({ reconciliation, nextAt, wokenAt, lease }: Row, now: number) => {
    const { reconciledUntil, lookedUp } = reconciliation
    const has = (moment: number) => moment <= now || moment > now + farthestAheadMs
    if (lease !== undefined && !has(lease.until)) return undefined
    if (has(nextAt) || reconciledUntil > now + farthestAheadMs) return nextAt
    const sweptAt = lookedUp?.until ?? reconciledUntil
    const hasRested = sweptAt > now + clockToleranceMs || sweptAt <= now - wakeRestMs
    return wokenAt !== undefined && hasRested ? wokenAt : undefined
  }

  const claim = (now: number, leaseMs: number): ClaimedReconciliation | undefined => {
    const [first] = earliest([rows.values()], (row) => turnAt(row, now), 1)
    if (first === undefined) return undefined
    tokens += 1
    const isWoken = first.wokenAt !== undefined || first.lease !== undefined
    first.lease = { token: String(tokens), until: now + leaseMs }
    // Should this process die, the turn is due again after its lease.
    first.nextAt = Math.min(first.nextAt, first.wokenAt ?? Infinity)
    first.wokenAt = undefined
    const [youngest] = waiting(first.reconciliation.issuer, { limit: 1 })
    return {
      ...first.reconciliation,
      leaseToken: first.lease.token,
      ...(youngest && { youngestAt: youngest.createdAt }),
      ...(isWoken && { isWoken }),
    }
  }

  const waiting = (issuer: Cnpj, { amounts, after, limit }: WaitingSearch): ReadonlyArray<WaitingCharge> => {
    const found: Array<WaitingCharge> = []
    for (const { charge } of companies.get(issuer)?.charges.values() ?? []) {
      if (charge._tag !== "Pending" || charge.checkAt === undefined || charge.lookUpAt !== undefined) continue
      if (amounts?.includes(charge.amountCents) === false) continue
      if (after === undefined || isYounger(after, charge)) found.push(charge)
    }
    return found.toSorted((a, b) => (isYounger(a, b) ? -1 : 1)).slice(0, limit)
  }

  return Reconciliations.of({
    enter: (now) => Effect.sync(() => enter(now)),
    wake: (issuer, now) => Effect.sync(() => wake(issuer, now)),
    claim: ({ now, leaseMs }) => Effect.sync(() => claim(now, leaseMs)),
    save: ({ leaseToken, youngestAt: _, isWoken: __, ...reconciliation }, turn) =>
      Effect.sync(() => {
        const row = rows.get(reconciliation.issuer)
        if (row === undefined || row.lease?.token !== leaseToken) return false
        row.reconciliation = reconciliation
        row.lease = turn._tag === "Keep" ? { token: leaseToken, until: turn.leaseUntil } : undefined
        if (turn._tag === "Release") row.nextAt = turn.nextAt
        return true
      }),
    waiting: (issuer, search) => Effect.sync(() => waiting(issuer, search)),
  })
}

type Place = Pick<WaitingCharge, "createdAt" | "id">

const isYounger = (one: Place, other: Place): boolean =>
  one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt
