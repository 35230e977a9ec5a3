import { type Change, ChargeStore, type Committed, type Insertion } from "@pixcharge/core"
import type { Charge, PendingCharge } from "@pixcharge/core/charge"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Database } from "../database/Database.ts"
import { groupCommit } from "../database/groupCommit.ts"
import { makePatient } from "../database/patience.ts"
import { keyOf, paymentRowOf } from "./ChargeRow.ts"
import { makeCommit } from "./commit.ts"
import { makeInsert } from "./insert.ts"
import { type ChargeKey, type ReadCharges } from "./readCharges.ts"
import { recordUnmatched } from "./recordUnmatched.sql.ts"

/** Rows in one statement: beyond some hundreds nothing is gained, and others wait longer. */
const most = 256

/** Charges on Postgres; calls that come together share statements. */
export const makeChargeStore = (database: Database, reading: ReadCharges): ChargeStore["Service"] => {
  const insert = groupCommit<PendingCharge, Insertion>({ most, run: makeInsert(database, reading) })
  const commit = groupCommit<Change, Committed>({ most, run: makeCommit(database, reading) })
  const recordStatement = recordUnmatched(database.schema)

  const findTogether = makePatient<ChargeKey, Charge | undefined>("find", async (calls) => {
    const charges = await reading.read(calls.map(({ value }) => [keyOf(value), value]))
    for (const { value, answer } of calls) answer(Exit.succeed(charges.get(keyOf(value))))
  })
  const find = groupCommit<ChargeKey, Charge | undefined>({ most, run: (calls) => findTogether([calls]) })

  return ChargeStore.of({
    insert,
    commit,
    find: (issuer, id) => find({ issuer, id }),
    recordUnmatched: (payment) =>
      Effect.map(
        database.query("recordUnmatched", recordStatement, [JSON.stringify(paymentRowOf(payment, undefined))]),
        (rows) => rows.length > 0,
      ),
  })
}
