import type { Change, Committed } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"
import * as Exit from "effect/Exit"
import type { Database, Row } from "../database/Database.ts"
import type { Call } from "../database/groupCommit.ts"
import { makePatient } from "../database/patience.ts"
import { isTrue, secondsOf, textOr } from "../database/values.ts"
import { keyOf, keyOfRow, paymentRowOf, returnRowOf, stateRowOf } from "./ChargeRow.ts"
import { commitCharges } from "./commitCharges.sql.ts"
import type { ReadCharges } from "./readCharges.ts"

type CommitCall = Call<Change, Committed>

/** The payment that settles the charge if this change moves it, and that the change itself brings. */
const bringsSettling = ({ next, payments }: Change): boolean =>
  next !== undefined && "payment" in next && payments.some(({ endToEndId }) => endToEndId === next.payment.endToEndId)

const changeRowOf = (change: Change) => ({
  issuer: change.issuer,
  id: change.id,
  expected: change.expectedVersion,
  moves: change.next !== undefined,
  brings_settling: bringsSettling(change),
  unsent: change.unsent,
  ...(change.next && stateRowOf(change.next)),
})

/** Each payment once: twice in one statement is an error. */
const paymentRowsOf = ({ id, payments }: Change) => [
  ...new Map(payments.map((payment) => [payment.endToEndId, paymentRowOf(payment, id)])).values(),
]

const deliveryRowsOf = ({ issuer, id, deliveries }: Change) =>
  deliveries.map(({ event, endpointId }) => ({
    issuer,
    charge_id: id,
    event_id: event.id,
    endpoint_id: endpointId,
    event,
    kind: event.kind,
    occurred_at: secondsOf(event.occurredAt),
  }))

const statementValues = (changes: ReadonlyArray<Change>, patience: string): Array<unknown> => [
  JSON.stringify(changes.map(changeRowOf)),
  JSON.stringify(changes.flatMap(paymentRowsOf)),
  JSON.stringify(changes.flatMap(({ returns }) => returns.map(returnRowOf))),
  JSON.stringify(changes.flatMap(deliveryRowsOf)),
  patience,
]

const claimsOf = (change: Change): ReadonlyArray<string> => [
  keyOf(change),
  ...[...change.payments, ...change.returns].map(({ endToEndId }) => `${change.issuer} ${endToEndId}`),
]

/**
 * Parts a batch into rounds in which no charge and no payment is mentioned twice, for within one statement none sees
 * what another has done. Calls that meet keep their order.
 */
export const roundsOf = <B>(calls: ReadonlyArray<Call<Change, B>>): ReadonlyArray<ReadonlyArray<Call<Change, B>>> => {
  const rounds: Array<Array<Call<Change, B>>> = []
  const next = new Map<string, number>()
  for (const call of calls) {
    const claims = claimsOf(call.value)
    const round = Math.max(...claims.map((claim) => next.get(claim) ?? 0))
    for (const claim of claims) next.set(claim, round + 1)
    ;(rounds[round] ??= []).push(call)
  }
  return rounds
}

/** What the statement tells: which charges moved, and every payment that the change holds now, fresh or not. */
const answerOf = (
  rows: ReadonlyArray<Row>,
  { moved, repeated }: { moved: boolean; repeated: boolean },
  change: Change,
) => {
  const held = new Map(rows.map((row) => [textOr(row["end_to_end_id"]), isTrue(row["fresh"]) || repeated]))
  const endToEndIds = [...new Set(change.payments.map(({ endToEndId }) => endToEndId))]
  return {
    moved,
    freshPayments: endToEndIds.filter((endToEndId) => held.get(endToEndId) === true),
    foreignPayments: endToEndIds.filter((endToEndId) => !held.has(endToEndId)),
  }
}

const settlingOf = (charge: Charge): string | undefined => ("payment" in charge ? charge.payment.endToEndId : undefined)

/**
 * The charge stands exactly where this move would have brought it. Of a refund under way that says nothing: two processes
 * that move it in one millisecond would write the same, and whoever is told to have moved it calls the processor.
 */
const standsAt = (charge: Charge | undefined, { next }: Change): boolean =>
  charge !== undefined &&
  next !== undefined &&
  next._tag !== "Refunding" &&
  charge._tag === next._tag &&
  charge.version === next.version &&
  charge.updatedAt === next.updatedAt &&
  settlingOf(charge) === settlingOf(next)

/** Moves charges together, each by compare-and-set, with their facts and what is to be told. */
export const makeCommit = (database: Database, { read }: ReadCharges) => {
  const statement = commitCharges(database.schema)

  const together = async (calls: ReadonlyArray<CommitCall>, patience: string): Promise<void> => {
    const { rows, repeated } = await database.run(
      statement,
      statementValues(
        calls.map(({ value }) => value),
        patience,
      ),
    )
    const moved = new Set(rows.filter((row) => row["end_to_end_id"] === null).map(keyOfRow))
    const held = new Map<string, Array<Row>>()
    for (const row of rows) {
      if (row["end_to_end_id"] === null) continue
      const key = keyOfRow(row)
      const known = held.get(key)
      if (known === undefined) held.set(key, [row])
      else known.push(row)
    }
    // After a lost answer, a charge that stands where we wanted it was brought there by the first sending.
    const stale = repeated ? calls.filter(({ value }) => value.next && !moved.has(keyOf(value))) : []
    const charges = stale.length === 0 ? undefined : await read(stale.map(({ value }) => [keyOf(value), value]))
    for (const { value: change, answer } of calls) {
      const key = keyOf(change)
      const hasMoved = moved.has(key) || standsAt(charges?.get(key), change)
      answer(Exit.succeed(answerOf(held.get(key) ?? [], { moved: hasMoved, repeated }, change)))
    }
  }

  const patiently = makePatient<Change, Committed>("commit", together)

  return (calls: ReadonlyArray<CommitCall>): Promise<void> => patiently(roundsOf(calls))
}
