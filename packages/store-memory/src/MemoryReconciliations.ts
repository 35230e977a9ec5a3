import {
  type ClaimedReconciliation,
  clockToleranceMs,
  maxAheadMs,
  type Reconciliation,
  type Reconciliations,
  type WaitingCharge,
  type WaitingSearch,
} from "@pixcharge/core"
import { wakeIntervalMs } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { findEarliest } from "./findEarliest.ts"
import type { MemoryState } from "./MemoryState.ts"

type Port = Reconciliations["Service"]

const dayMs = 86_400_000

interface Row {
  reconciliation: Reconciliation
  nextAt: number
  /** When the company was woken; undefined once its turn is claimed. */
  wokenAt: number | undefined
  lease: { readonly token: string; readonly until: number } | undefined
}

/**
 * The time of the company's turn, or undefined if the turn hasn't come. A time too far ahead was written by a fast clock and
 * counts as past.
 */
const turnAt = ({ reconciliation, nextAt, wokenAt, lease }: Row, now: number): number | undefined => {
  const { reconciledUntil, lookedUp } = reconciliation
  const hasCome = (moment: number) => moment <= now || moment > now + maxAheadMs
  if (lease !== undefined && !hasCome(lease.until)) return undefined
  if (hasCome(nextAt) || reconciledUntil > now + maxAheadMs) return nextAt
  const sweptAt = lookedUp?.until ?? reconciledUntil
  const mayWake = sweptAt > now + clockToleranceMs || sweptAt <= now - wakeIntervalMs
  return mayWake ? wokenAt : undefined
}

export class MemoryReconciliations implements Port {
  readonly #companies: MemoryState["companies"]
  readonly #rows = new Map<Cnpj, Row>()
  #leaseCount = 0

  constructor({ companies }: MemoryState) {
    this.#companies = companies
  }

  readonly enter: Port["enter"] = (now, publishesExpiry = false) =>
    Effect.sync(() => {
      const before = this.#rows.size
      for (const row of publishesExpiry ? this.#rows.values() : []) {
        row.reconciliation = { expiryEventsSince: now, ...row.reconciliation }
      }
      for (const issuer of this.#companies.keys()) this.#enterCompany(issuer, now)
      return this.#rows.size - before
    })

  isDue(now: number): boolean {
    return [...this.#rows.values()].some((row) => turnAt(row, now) !== undefined)
  }

  readonly wake: Port["wake"] = (issuer, now) =>
    Effect.sync(() => {
      const row = this.#enterCompany(issuer, now)
      if (row !== undefined) row.wokenAt = Math.min(row.wokenAt ?? now, now)
    })

  readonly claim: Port["claim"] = ({ now, leaseMs }) =>
    Effect.sync(() => {
      const [row] = findEarliest([this.#rows.values()], (one) => turnAt(one, now), 1)
      return row && this.#lease(row, now + leaseMs)
    })

  readonly save: Port["save"] = ({ leaseToken, youngestAt: _, isWoken: __, ...reconciliation }, turn) =>
    Effect.sync(() => {
      const row = this.#rows.get(reconciliation.issuer)
      if (row === undefined || row.lease?.token !== leaseToken) return false
      row.reconciliation = reconciliation
      row.lease = turn._tag === "Keep" ? { token: leaseToken, until: turn.leaseUntil } : undefined
      if (turn._tag === "Release") row.nextAt = turn.nextAt
      return true
    })

  readonly expiryEventsSince: Port["expiryEventsSince"] = (issuer) =>
    Effect.sync(() => {
      const row = this.#rows.get(issuer)
      return row === undefined ? 0 : row.reconciliation.expiryEventsSince
    })

  readonly waiting: Port["waiting"] = (issuer, search) => Effect.sync(() => this.#listWaiting(issuer, search))

  #enterCompany(issuer: Cnpj, now: number): Row | undefined {
    const known = this.#rows.get(issuer)
    const charges = this.#companies.get(issuer)?.charges
    if (known !== undefined || charges === undefined || charges.size === 0) return known
    let since = Infinity
    for (const { charge } of charges.values()) since = Math.min(since, charge.createdAt)
    const reconciliation = {
      issuer,
      since,
      reconciledUntil: since,
      returnsDueAt: now + dayMs,
      expiryEventsSince: since,
    }
    const row: Row = { reconciliation, nextAt: now, wokenAt: undefined, lease: undefined }
    this.#rows.set(issuer, row)
    return row
  }

  #lease(row: Row, until: number): ClaimedReconciliation {
    const leaseToken = String((this.#leaseCount += 1))
    const isWoken = row.wokenAt !== undefined || row.lease !== undefined
    row.lease = { token: leaseToken, until }
    row.nextAt = Math.min(row.nextAt, row.wokenAt ?? Infinity)
    row.wokenAt = undefined
    const [youngest] = this.#listWaiting(row.reconciliation.issuer, { limit: 1 })
    return {
      ...row.reconciliation,
      leaseToken,
      ...(youngest && { youngestAt: youngest.createdAt }),
      ...(isWoken && { isWoken }),
    }
  }

  #listWaiting(issuer: Cnpj, { amounts, after, limit }: WaitingSearch): ReadonlyArray<WaitingCharge> {
    const found: Array<WaitingCharge> = []
    for (const { charge } of this.#companies.get(issuer)?.charges.values() ?? []) {
      if (charge._tag !== "Pending" || charge.checkAt === undefined || charge.lookUpAt !== undefined) continue
      if (amounts?.includes(charge.amountCents) === false) continue
      if (after === undefined || isYounger(after, charge)) found.push(charge)
    }
    return found.toSorted((a, b) => (isYounger(a, b) ? -1 : 1)).slice(0, limit)
  }
}

type Position = Pick<WaitingCharge, "createdAt" | "id">

const isYounger = (one: Position, other: Position): boolean =>
  one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt
