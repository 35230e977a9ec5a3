import type { Span } from "./callsWithin.ts"
import { isExpectedFailure, type Ledger, type MadeCall, type ReceivedEvent, type Sale } from "./Ledger.ts"
import type { PlacedRow } from "./readRows.ts"

type Rows = ReadonlyArray<PlacedRow>

const grouped = <A>(values: ReadonlyArray<A>, keyOf: (value: A) => string): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group === undefined) groups.set(keyOf(value), [value])
    else group.push(value)
  }
  return groups
}

/** The rows of one table by one of its columns. */
const byColumn = (rows: Rows, table: string, column: string): ReadonlyMap<string, Rows> =>
  grouped(
    rows.filter((row) => row.table === table),
    ({ columns }) => String(columns[column]),
  )

const misplaced = (rows: Rows): ReadonlyArray<string> =>
  rows
    .filter(({ isHome }) => !isHome)
    .map(({ table, key, place, issuer }) => `misplaced: ${table} ${key} lies in ${place}, where ${issuer} has no rows`)

const doubled = (rows: Rows): ReadonlyArray<string> =>
  [...grouped(rows, ({ table, key }) => `${table} ${key}`)]
    .filter(([, same]) => same.length > 1)
    .map(([key, same]) => `doubled: ${key} lies in ${same.map(({ place }) => place).join(" and ")}`)

const settledStates: ReadonlySet<unknown> = new Set(["paid", "refunding", "refunded"])

/** What the books lack of what callers were acknowledged. */
const lost = (sales: ReadonlyArray<Sale>, rows: Rows): ReadonlyArray<string> => {
  const charges = byColumn(rows, "charges", "id")
  const payments = byColumn(rows, "payments", "end_to_end_id")
  const returns = byColumn(rows, "returns", "end_to_end_id")
  return sales.flatMap(({ issuer, id, amountCents, endToEndId, transactionId, isPaid, isRefunded }) => {
    const charge = charges.get(id)?.[0]?.columns
    const isIn = (found: Rows | undefined) =>
      found?.some(({ columns }) => columns["issuer"] === issuer && columns["amount_cents"] === amountCents) === true
    const flaws: Array<string> = []
    if (transactionId !== undefined && charge?.["transaction_id"] !== transactionId) flaws.push("its charge")
    if (isPaid && !settledStates.has(charge?.["state"])) flaws.push("that it is paid")
    if (isPaid && !isIn(payments.get(endToEndId))) flaws.push("its payment")
    if (isRefunded && charge?.["state"] !== "refunded") flaws.push("that it is refunded")
    if (isRefunded && !isIn(returns.get(endToEndId))) flaws.push("its return")
    return flaws.map((what) => `lost: ${what}, acknowledged to ${issuer} for ${id}`)
  })
}

/** Rows that nobody asked for, and charges without the rows that were written with their move. */
const torn = (sales: ReadonlyMap<string, Sale>, rows: Rows): ReadonlyArray<string> => {
  const payments = byColumn(rows, "payments", "end_to_end_id")
  const returns = byColumn(rows, "returns", "end_to_end_id")
  const flaws: Array<string> = []
  for (const { columns } of rows.filter(({ table }) => table === "charges")) {
    const id = String(columns["id"])
    const sale = sales.get(id)
    const settledBy = columns["settled_by"]
    if (sale?.issuer !== columns["issuer"]) flaws.push(`invented: nobody has issued ${id}`)
    const isSettled = settledStates.has(columns["state"])
    if (isSettled && (settledBy !== sale?.endToEndId || !payments.has(String(settledBy)))) {
      flaws.push(`torn: ${id} is ${columns["state"]} without its payment`)
    }
    if (!isSettled && payments.has(sale?.endToEndId ?? ""))
      flaws.push(`torn: ${id} is unpaid, and its payment recorded`)
    if (columns["state"] === "refunded" && !returns.has(String(settledBy))) {
      flaws.push(`torn: ${id} is refunded without its return`)
    }
  }
  return flaws
}

/** The kinds of events that a charge in this state has sent; a `paid` that a refund has withdrawn need not be. */
const eventKinds: Readonly<Record<string, string>> = { paid: "paid", refunding: "paid", refunded: "refunded" }

/**
 * Once, and once more for each interruption between the first time and the last: what was sent couldn't be recorded then, and was sent
 * again when its lease had ended or was lost.
 */
const mostTold = (times: ReadonlyArray<ReceivedEvent>, interruptions: ReadonlyArray<Span>): number => {
  const moments = times.map(({ arrivedAt }) => arrivedAt)
  const [first, last] = [Math.min(...moments), Math.max(...moments)]
  return 1 + interruptions.filter(({ from, until }) => from <= last && until >= first).length
}

/**
 * Events that did not arrive, that arrived too often, or that tell what the books don't have. To be looked at once nothing waits
 * any more.
 */
const eventFlaws = (
  received: ReadonlyArray<ReceivedEvent>,
  rows: Rows,
  interruptions: ReadonlyArray<Span>,
): ReadonlyArray<string> => {
  const charges = byColumn(rows, "charges", "id")
  const arrived = grouped(received, ({ id }) => id)
  const flaws = [...charges].flatMap(([id, [row]]) => {
    const kind = eventKinds[String(row?.columns["state"])]
    const eventId = `evt_${String(row?.columns["issuer"])}_${id.replaceAll("-", "")}_${kind}`
    return kind === undefined || arrived.has(eventId) ? [] : [`untold: ${id} is ${kind}, and its event never arrived`]
  })
  for (const [id, same] of arrived) {
    const [{ chargeId, endToEndId }] = same as [ReceivedEvent]
    if (charges.get(chargeId)?.[0]?.columns["settled_by"] !== endToEndId) {
      flaws.push(`untrue: ${id} told of a payment of ${chargeId} that the books don't have`)
    }
    if (same.length > mostTold(same, interruptions))
      flaws.push(`told too often: ${id} of ${chargeId} arrived ${same.length} times`)
  }
  return flaws
}

const callFlaw = ({ operation, host, issuer, tookMs, failure }: MadeCall, longestMs: number): string | undefined => {
  const call = `${operation} of ${issuer} at ${host}`
  if (failure !== undefined && !isExpectedFailure(failure)) return `wrong failure: ${call} failed with ${failure}`
  return tookMs > longestMs ? `hang: ${call} took ${Math.round(tookMs / 1000)} s` : undefined
}

/** What a ledger is held to. */
export interface Bounds {
  /** No call may take longer. */
  readonly longestMs: number
  /** The spans in which a node was down, or a shard stopped. */
  readonly interruptions: ReadonlyArray<Span>
}

/**
 * Whatever contradicts the ledger: in the rows as they lie on disk, in the events that arrived, and in how calls failed. To be
 * asked once the load has stopped and no event waits.
 */
export const findFlaws = (ledger: Ledger, rows: Rows, { longestMs, interruptions }: Bounds): ReadonlyArray<string> => {
  const sales = [...ledger.sales.values()]
  return [
    ...ledger.wrongAnswers.map((answer) => `wrong answer: ${answer}`),
    ...(ledger.waiting > 0 ? [`unsent: ${ledger.waiting} events still wait`] : []),
    ...ledger.calls.map((call) => callFlaw(call, longestMs)).filter((flaw) => flaw !== undefined),
    ...lost(sales, rows),
    ...doubled(rows),
    ...misplaced(rows),
    ...torn(ledger.sales, rows),
    ...eventFlaws(ledger.received, rows, interruptions),
  ]
}
