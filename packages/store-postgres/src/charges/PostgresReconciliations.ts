import { type ClaimedReconciliation, Reconciliations, type WaitingSearch } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Database } from "../sql/Database.ts"
import { isTrue, millisOr, textIn, toSeconds } from "../sql/values.ts"
import {
  claimReconciliation,
  companyColumns,
  enterCompanies,
  progressColumns,
  saveReconciliation,
  expiryEventsSince,
  waitingCharges,
  waitingColumns,
  wakeCompany,
} from "./reconciliations.sql.ts"

export const makeReconciliations = ({ query }: Database): Reconciliations["Service"] => {
  const waiting = (operation: string, issuer: Cnpj, { amounts, after, limit }: WaitingSearch) => {
    const values = [issuer, amounts === undefined ? null : JSON.stringify(amounts), limit]
    const rows =
      after === undefined
        ? query(operation, waitingCharges.first, values)
        : query(operation, waitingCharges.next, [...values, toSeconds(after.createdAt), after.id])
    return Effect.map(rows, (found) => found.map(waitingColumns.fromRow))
  }

  return Reconciliations.of({
    enter: (now, publishesExpiry = false) =>
      Effect.map(query("enter", enterCompanies, [toSeconds(now), publishesExpiry]), (rows) => rows.length),
    expiryEventsSince: (issuer) =>
      Effect.map(query("expiryEventsSince", expiryEventsSince, [issuer]), ([row]) =>
        row === undefined ? 0 : millisOr(row["since"]),
      ),
    wake: (issuer, now) => Effect.asVoid(query("wake", wakeCompany, [toSeconds(now), issuer])),
    claim: Effect.fnUntraced(function* ({ now, leaseMs }) {
      const values = [toSeconds(now), toSeconds(now + leaseMs)]
      const [row] = yield* query("claimReconciliation", claimReconciliation, values)
      if (row === undefined) return undefined
      const reconciliation = { ...companyColumns.fromRow(row), ...progressColumns.fromRow(row) }
      // Reads the youngest charge in a second statement, because the claim's snapshot can be older than the charges that woke the
      // company.
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
          JSON.stringify(progressColumns.toRow(reconciliation)),
          turn._tag === "Keep" ? toSeconds(turn.leaseUntil) : null,
          turn._tag === "Release" ? toSeconds(turn.nextAt) : null,
        ]),
        (rows) => rows.length > 0,
      ),
    waiting: (issuer, search) => waiting("waiting", issuer, search),
  })
}
