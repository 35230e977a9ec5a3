import { ChargeStore } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { currentAuthor } from "../reports/Author.ts"
import type { Database } from "../sql/Database.ts"
import { groupCommit, intoRounds } from "../sql/groupCommit.ts"
import {
  chargeFromRow,
  chargeKey,
  distinctReturns,
  paymentColumns,
  returnColumns,
  standingFromRow,
} from "./ChargeRow.ts"
import { makeCommit, nameRows } from "./commit.ts"
import { findChanged, findStandings, recordUnmatched } from "./findCharges.sql.ts"
import { type ChargePlace, makeFindOwners, type ReadCharges } from "./readCharges.ts"
import { makeInsert } from "./insert.ts"

/** Charges on Postgres; calls that come together share statements. */
export const makeChargeStore = (database: Database, read: ReadCharges): ChargeStore["Service"] => {
  const find = groupCommit<ChargePlace, Charge | undefined>("find", async (calls) => {
    const charges = await read(calls.map(({ value }) => value))
    for (const { value, answer } of calls) answer(charges.get(chargeKey(value)))
  })

  const commit = groupCommit("commit", makeCommit(database, read), intoRounds(nameRows))

  return ChargeStore.of({
    insert: groupCommit("insert", makeInsert(database, read)),
    commit: (change) =>
      change.audit === undefined
        ? commit(change)
        : Effect.flatMap(currentAuthor, (author) => commit({ ...change, author })),
    find: (issuer, id) => find({ issuer, id }),
    changed: (seen) => {
      const keys = seen.map(({ issuer, id, version }) => ({ issuer, id, version }))
      return Effect.map(database.query("changed", findChanged, [JSON.stringify(keys)]), (rows) =>
        rows.map(chargeFromRow),
      )
    },
    standings: (shown) => {
      const keys = shown.map(({ issuer, endToEndId, chargeId }) => ({
        issuer,
        end_to_end_id: endToEndId,
        charge_id: chargeId,
      }))
      return Effect.map(database.query("standings", findStandings, [JSON.stringify(keys)]), (rows) =>
        rows.map(standingFromRow),
      )
    },
    recordUnmatched: (payment, returns = []) => {
      const { chargeId: _, ...unmatched } = payment
      const values = [
        JSON.stringify(paymentColumns.toRow(unmatched)),
        JSON.stringify(distinctReturns(returns).map(returnColumns.toRow)),
      ]
      return Effect.map(database.query("recordUnmatched", recordUnmatched, values), (rows) => rows.length > 0)
    },
    owners: makeFindOwners(database),
  })
}
