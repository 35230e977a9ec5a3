import { type ClaimedReconciliation, farthestAheadMs, type Reconciliation, Reconciliations } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Database, Row } from "../database/Database.ts"
import { isTrue, millisIn, millisOr, toSeconds, secondsOrNull, textIn, textOr } from "../database/values.ts"
import { claimReconciliation, enterCompanies, saveReconciliation } from "./reconciliations.sql.ts"

const reconciliationFromRow = (row: Row): Reconciliation => {
  const until = millisOr(row["run_until"])
  const cursor = textOr(row["run_cursor"])
  const failingSince = millisOr(row["failing_since"])
  return {
    issuer: textIn(row, "issuer") as Cnpj,
    since: millisIn(row, "since"),
    reconciledUntil: millisIn(row, "reconciled_until"),
    ...(failingSince !== undefined && { failingSince }),
    ...(until !== undefined && {
      run: {
        until,
        list: row["run_list"] === "returned" ? "returned" : "received",
        ...(cursor !== undefined && { cursor }),
        ...(isTrue(row["run_has_failed"]) && { hasFailed: true }),
      },
    }),
  }
}

/** How far each company was compared with its processor, on Postgres. */
export const makeReconciliations = ({ query }: Database): Reconciliations["Service"] =>
  Reconciliations.of({
    enter: (now) => Effect.map(query("enter", enterCompanies, [toSeconds(now)]), (rows) => rows.length),
    claim: ({ now, leaseMs }) =>
      Effect.map(
        query("claimReconciliation", claimReconciliation, [
          toSeconds(now),
          toSeconds(now + leaseMs),
          toSeconds(now + farthestAheadMs),
        ]),
        ([row]): ClaimedReconciliation | undefined =>
          row && { ...reconciliationFromRow(row), leaseToken: textIn(row, "lease_token") },
      ),
    save: ({ issuer, leaseToken, reconciledUntil, failingSince, run }, turn) =>
      Effect.map(
        query("saveReconciliation", saveReconciliation, [
          issuer,
          leaseToken,
          toSeconds(reconciledUntil),
          secondsOrNull(run?.until),
          run?.list ?? null,
          run?.cursor ?? null,
          turn._tag === "Keep" ? toSeconds(turn.leaseUntil) : null,
          turn._tag === "Release" ? toSeconds(turn.nextAt) : null,
          run?.hasFailed === true,
          secondsOrNull(failingSince),
        ]),
        (rows) => rows.length > 0,
      ),
  })
