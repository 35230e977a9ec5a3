import type { Change, Committed } from "@pixcharge/core"
import { type Charge, lateRefundMs } from "@pixcharge/core/charges"
import type { Database, Row, SendCalls } from "../sql/Database.ts"
import type { SqlValue } from "../sql/Sql.ts"
import { isTrue, textOr } from "../sql/values.ts"
import { deliveryRow } from "../outbox/DeliveryRow.ts"
import { auditColumns, type Author } from "../sql/Author.ts"
import {
  chargeKey,
  chargeKeyFromRow,
  chargeStateRow,
  distinctReturns,
  partialRefundRow,
  paymentColumns,
  returnColumns,
} from "./ChargeRow.ts"
import { commitCharges, commitRecorded } from "./commitCharges.sql.ts"
import type { ReadCharges } from "./readCharges.ts"
import { changedFactsRow, changedTextsRows } from "./termsRows.ts"

export interface NamedChange extends Change {
  readonly author?: Author
}

const bringsSettling = ({ next, payments }: Change): boolean =>
  next !== undefined && "payment" in next && payments.some(({ endToEndId }) => endToEndId === next.payment.endToEndId)

const changeRow = (change: Change) => ({
  issuer: change.issuer,
  id: change.id,
  expected: change.expectedVersion,
  only_at_version: change.onlyAtVersion,
  moves: change.next !== undefined,
  brings_settling: bringsSettling(change),
  known_returns: change.next?.returns.map(({ id }) => id),
  unsent: change.unsent,
  ...(change.next && chargeStateRow(change.next)),
  ...changedFactsRow(change),
})

const paymentRows = ({ id, payments }: Change) => [
  ...new Map(
    payments.map((payment) => [payment.endToEndId, paymentColumns.toRow({ ...payment, chargeId: id })]),
  ).values(),
]

const returnRows = ({ payments, returns }: Change) =>
  distinctReturns(returns).map((returned) => ({
    ...returnColumns.toRow(returned),
    is_brought: payments.some(({ endToEndId }) => endToEndId === returned.endToEndId),
  }))

const countEvents = (deliveries: Change["deliveries"]): number => new Set(deliveries.map(({ event }) => event.id)).size

/** `later` is how many events of the change follow. */
const deliveryRows = ({ issuer, id, deliveries }: Change) =>
  deliveries.map((delivery, index) => ({
    ...deliveryRow(delivery),
    issuer,
    charge_id: id,
    later: deliveries.length === 1 ? 0 : countEvents(deliveries.slice(index)) - 1,
  }))

const exceptionRows = ({ issuer, id, exceptions = [] }: Change) =>
  exceptions.map((delivery) => {
    const { endToEndId, reason } = delivery.event.exception
    return { ...deliveryRow(delivery), issuer, charge_id: id, end_to_end_id: endToEndId, reason }
  })

const partialRefundRows = ({ issuer, id, partialRefund }: Change) =>
  partialRefund === undefined ? [] : [{ issuer, charge_id: id, ...partialRefundRow(partialRefund) }]

const auditRows = ({ issuer, id, audit, author = {} }: NamedChange) =>
  audit === undefined ? [] : [{ issuer, charge_id: id, ...auditColumns(audit, author) }]

const statementValues = (changes: ReadonlyArray<Change>, lockTimeout: string): Array<SqlValue> => [
  JSON.stringify(changes.map(changeRow)),
  JSON.stringify(changes.flatMap(paymentRows)),
  JSON.stringify(changes.flatMap(returnRows)),
  JSON.stringify(changes.flatMap(deliveryRows)),
  lockTimeout,
  lateRefundMs,
]

/** A payment has one row, even if two companies name it. */
export const listRowKeys = (change: NamedChange): ReadonlyArray<string> => [
  chargeKey(change),
  ...[...change.payments, ...change.returns].map(({ endToEndId }) => endToEndId),
]

const splitRows = (rows: ReadonlyArray<Row>) => {
  const moved = new Set<string>()
  const heldPayments = new Map<string, Array<Row>>()
  for (const row of rows) {
    const key = chargeKeyFromRow(row)
    const known = heldPayments.get(key)
    if (row["end_to_end_id"] === null) moved.add(key)
    else if (known === undefined) heldPayments.set(key, [row])
    else known.push(row)
  }
  return { moved, heldPayments }
}

const settlingId = (charge: Charge): string | undefined => ("payment" in charge ? charge.payment.endToEndId : undefined)

/** After a lost answer, a payment counts as fresh if an earlier sending might have recorded it. */
const describeResult = (
  { payments, next }: Change,
  {
    moved,
    heldPayments,
    repeated,
  }: { readonly moved: boolean; readonly heldPayments: ReadonlyArray<Row>; readonly repeated: boolean },
): Committed => {
  const isFresh = new Map(heldPayments.map((row) => [textOr(row["end_to_end_id"]), isTrue(row["fresh"]) || repeated]))
  // A repeated change with `onlyAtVersion` records no payments, because its first sending moved the charge.
  if (moved && repeated && next) isFresh.set(settlingId(next), true)
  const endToEndIds = [...new Set(payments.map(({ endToEndId }) => endToEndId))]
  return {
    moved,
    freshPayments: endToEndIds.filter((endToEndId) => isFresh.get(endToEndId) === true),
    foreignPayments: endToEndIds.filter((endToEndId) => !isFresh.has(endToEndId)),
  }
}

/**
 * Whether an earlier sending made this move: the charge is exactly as the move leaves it. Never true for a refund or a change under
 * way: two processes can write a request in the same millisecond, and both would call the processor.
 */
const hasReached = (charge: Charge | undefined, { next, partialRefund, termsRows }: Change): boolean =>
  charge !== undefined &&
  next !== undefined &&
  partialRefund === undefined &&
  termsRows === undefined &&
  next._tag !== "Refunding" &&
  charge._tag === next._tag &&
  charge.version === next.version &&
  charge.updatedAt === next.updatedAt &&
  settlingId(charge) === settlingId(next)

export const makeCommit =
  ({ run }: Database, read: ReadCharges): SendCalls<NamedChange, Committed> =>
  async (calls, lockTimeout) => {
    const changes = calls.map(({ value }) => value)
    const values = statementValues(changes, lockTimeout)
    const details = [partialRefundRows, auditRows, exceptionRows, changedTextsRows].map((list) => changes.flatMap(list))
    const { rows, repeated } = await (details.every(({ length }) => length === 0)
      ? run(commitCharges, values)
      : run(commitRecorded, [...values, ...details.map((list) => JSON.stringify(list))]))
    const { moved, heldPayments } = splitRows(rows)
    const stale = repeated ? changes.filter((change) => change.next && !moved.has(chargeKey(change))) : []
    const charges = stale.length === 0 ? undefined : await read(stale)
    for (const { value: change, answer } of calls) {
      const key = chargeKey(change)
      const hasMoved = moved.has(key) || hasReached(charges?.get(key), change)
      answer(describeResult(change, { moved: hasMoved, heldPayments: heldPayments.get(key) ?? [], repeated }))
    }
  }
