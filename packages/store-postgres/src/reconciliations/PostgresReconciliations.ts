import {
  type ClaimedReconciliation,
  clockToleranceMs,
  farthestAheadMs,
  type ListRun,
  type Reconciliation,
  Reconciliations,
  type WaitingCharge,
  type WaitingSearch,
  wakeIntervalMs,
} from "@pixcharge/core"
import type { ChargeId } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Database, Row } from "../database/Database.ts"
import { isTrue, millisIn, millisOr, numberIn, secondsOrNull, textIn, textOr, toSeconds } from "../database/values.ts"
import {
  claimReconciliation,
  enterCompanies,
  saveReconciliation,
  waitingCharges,
  wakeCompany,
} from "./reconciliations.sql.ts"

const runFromRow = (row: Row, prefix: string): ListRun | undefined => {
  const until = millisOr(row[`${prefix}until`])
  const cursor = textOr(row[`${prefix}cursor`])
  if (until === undefined) return undefined
  return {
    until,
    ...(cursor !== undefined && { cursor }),
    ...(isTrue(row[`${prefix}has_failed`]) && { hasFailed: true }),
  }
}

const reconciliationFromRow = (row: Row): Reconciliation => {
  const run = runFromRow(row, "run_")
  const returnsRun = runFromRow(row, "returns_run_")
  const failingSince = millisOr(row["failing_since"])
  const from = millisOr(row["looked_up_from"])
  const until = millisOr(row["looked_up_until"])
  return {
    issuer: textIn(row, "issuer") as Cnpj,
    since: millisIn(row, "since"),
    reconciledUntil: millisIn(row, "reconciled_until"),
    ...(run && { run }),
    returnsDueAt: millisIn(row, "returns_due_at"),
    ...(returnsRun && { returnsRun }),
    ...(failingSince !== undefined && { failingSince }),
    ...(from !== undefined && until !== undefined && { lookedUp: { from, until } }),
  }
}

const reconciliationRow = (reconciliation: Reconciliation) => ({
  reconciled_until: toSeconds(reconciliation.reconciledUntil),
  failing_since: secondsOrNull(reconciliation.failingSince),
  looked_up_from: secondsOrNull(reconciliation.lookedUp?.from),
  looked_up_until: secondsOrNull(reconciliation.lookedUp?.until),
  run_until: secondsOrNull(reconciliation.run?.until),
  run_cursor: reconciliation.run?.cursor,
  run_has_failed: reconciliation.run?.hasFailed === true,
  returns_due_at: toSeconds(reconciliation.returnsDueAt),
  returns_run_until: secondsOrNull(reconciliation.returnsRun?.until),
  returns_run_cursor: reconciliation.returnsRun?.cursor,
  returns_run_has_failed: reconciliation.returnsRun?.hasFailed === true,
})

const waitingFromRow = (row: Row): WaitingCharge => ({
  issuer: textIn(row, "issuer") as Cnpj,
  id: textIn(row, "id") as ChargeId,
  version: numberIn(row, "version"),
  checkAt: millisIn(row, "check_at"),
  createdAt: millisIn(row, "created_at"),
})

/** How far each company is reconciled with its processor, on Postgres. */
export const makeReconciliations = ({ query }: Database): Reconciliations["Service"] => {
  const waiting = (operation: string, issuer: Cnpj, { amounts, after, limit }: WaitingSearch) => {
    const values = [issuer, amounts === undefined ? null : JSON.stringify(amounts), limit]
    const rows =
      after === undefined
        ? query(operation, waitingCharges.first, values)
        : query(operation, waitingCharges.next, [...values, toSeconds(after.createdAt), after.id])
    return Effect.map(rows, (found) => found.map(waitingFromRow))
  }

  return Reconciliations.of({
    enter: (now) => Effect.map(query("enter", enterCompanies, [toSeconds(now)]), (rows) => rows.length),
    wake: (issuer, now) => Effect.asVoid(query("wake", wakeCompany, [toSeconds(now), issuer])),
    claim: Effect.fnUntraced(function* ({ now, leaseMs }) {
      const [row] = yield* query("claimReconciliation", claimReconciliation, [
        toSeconds(now),
        toSeconds(now + leaseMs),
        toSeconds(now + farthestAheadMs),
        toSeconds(now - wakeIntervalMs),
        toSeconds(now + clockToleranceMs),
      ])
      if (row === undefined) return undefined
      const reconciliation = reconciliationFromRow(row)
      // In a second statement: the claim's may have begun before the charges that woke the company were stored.
      const [youngest] = yield* waiting("claimReconciliation", reconciliation.issuer, { limit: 1 })
      return {
        ...reconciliation,
        leaseToken: textIn(row, "lease_token"),
        ...(youngest && { youngestAt: youngest.createdAt }),
        ...(isTrue(row["is_woken"]) && { isWoken: true }),
      } satisfies ClaimedReconciliation
    }),
    save: ({ leaseToken, ...reconciliation }, turn) =>
      Effect.map(
        query("saveReconciliation", saveReconciliation, [
          reconciliation.issuer,
          leaseToken,
          JSON.stringify(reconciliationRow(reconciliation)),
          turn._tag === "Keep" ? toSeconds(turn.leaseUntil) : null,
          turn._tag === "Release" ? toSeconds(turn.nextAt) : null,
        ]),
        (rows) => rows.length > 0,
      ),
    waiting: (issuer, search) => waiting("waiting", issuer, search),
  })
}
