import type { Charge, PixEvent } from "@pixcharge/core/charges"
import { reportIf } from "../rules.ts"
import { dayMs } from "./calendar.ts"
import type { Find, RecurrenceEvidence } from "./RecurrenceEvidence.ts"

const key = (one: { readonly issuer: string; readonly endToEndId: string; readonly id?: string }): string =>
  `${one.issuer} ${one.endToEndId}${one.id === undefined ? "" : ` ${one.id}`}`

/** Finds entries that are missing in one of the lists, or twice in the books. */
const compare = (what: string, atBank: ReadonlyArray<string>, stored: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...atBank.filter((one) => !stored.includes(one)).map((one) => `${what} ${one} is not in the books`),
  ...stored.filter((one) => !atBank.includes(one)).map((one) => `${what} ${one} is not at the bank`),
  ...stored.filter((one, index) => stored.indexOf(one) !== index).map((one) => `${what} ${one} is stored twice`),
]

const endState = { offered: "Offered", approved: "Approved" } as Record<string, string>

const statesFollow: Find = ({ books, ledger }) =>
  books.recurrences.flatMap((recurrence) => {
    const rec = "bankId" in recurrence ? ledger.recs.get(recurrence.bankId ?? "") : undefined
    const due = rec && (endState[rec.status] ?? "Ended")
    const isOther = due !== undefined && due !== recurrence._tag
    return reportIf(isOther, `${recurrence.contract} is ${recurrence._tag}, but ${rec?.status} at the bank`)
  })

const chargeStates: Find = ({ books, ledger }) =>
  books.charges.flatMap((charge) => {
    const { txid, _tag: state, cycle } = charge
    if (cycle === undefined) return []
    const cobr = ledger.cobrs.get(txid)
    const isPaid = [...ledger.payments.values()].some((one) => one.txid === txid)
    const isWrong =
      (isPaid && cobr?.amountCents === charge.amountCents && (state === "Pending" || state === "Cancelled")) ||
      (cobr?.status === "cancelled" && state === "Pending") ||
      (cobr?.status === "active" && state === "Cancelled")
    return reportIf(isWrong, `${txid} is ${state}, but ${cobr?.status} at the bank`)
  })

export const booksFollowBank: Find = (seen) => {
  const { ledger, books } = seen
  const payments = [...ledger.payments.values()]
  const contracts = new Set(books.recurrences.map(({ issuer, contract }) => `${issuer} ${contract}`))
  const known = new Set(books.charges.map(({ txid }) => txid as string))
  const unknown = [...ledger.cobrs.values()].filter(
    ({ rec, txid }) => contracts.has(`${rec.issuer} ${rec.contract}`) && !known.has(txid),
  )
  return [
    ...compare("payment", payments.map(key), books.payments.map(key)),
    ...compare(
      "return",
      payments.flatMap((one) => one.returns.map(({ id }) => key({ ...one, id }))),
      books.returns.map(key),
    ),
    ...unknown.map(({ txid, rec }) => `${txid} of ${rec.contract} is at the bank, but not in the books`),
    ...statesFollow(seen),
    ...chargeStates(seen),
  ]
}

/** Finds writes after a recurrence's end. Ignores ends that a restored store has forgotten. */
export const statesAreFinal: Find = ({ written, setBacks }) =>
  written.flatMap((one, index) => {
    const before = written.slice(0, index).findLast(({ id }) => id === one.id)
    if (before === undefined || setBacks.some((back) => back.at >= before.at && back.at <= one.at)) return []
    const isWrong =
      (before.state === "Ended" && one.state !== "Ended") ||
      (["Paid", "Refunded"].includes(before.state) && ["Pending", "Cancelled"].includes(one.state)) ||
      (["Approved", "Ending"].includes(before.state) && one.state === "Offered")
    return reportIf(isWrong, `${one.id} goes from ${before.state} to ${one.state}`)
  })

/** An event's content without `occurredAt`, which can be the time when we learned of the fact. */
const facts = ({ occurredAt: _, ...event }: PixEvent): string =>
  JSON.stringify({ ...event, mayRetryUntil: 0, until: 0 })

const differentFacts: Find = ({ receipts, books, setBacks }) => {
  // Restored books send forgotten facts once more, in their current form.
  if (setBacks.length > 0) return []
  const first = new Map<string, string>()
  return [...receipts.map(({ event }) => event), ...books.deliveries.map(({ event }) => event)].flatMap((event) => {
    const known = first.get(event.id) ?? facts(event)
    first.set(event.id, known)
    return reportIf(known !== facts(event), `${event.id} is ${known}, and ${facts(event)}`)
  })
}

const chargeEvents = (
  charge: Charge,
  { ledger, now, answers }: RecurrenceEvidence,
): ReadonlyArray<PixEvent["kind"]> => {
  const cobr = ledger.cobrs.get(charge.txid)
  if (cobr === undefined || (cobr.endedAt ?? now) > now - dayMs) return []
  // The host cancelled the charge. The books say so even if the bank had just rejected the charge.
  const isHosts =
    charge._tag === "Cancelled" &&
    answers.some((one) => one.recurrence === charge.cycle?.recurrenceId && ["cancel", "skip"].includes(one.do))
  const isTakenBack = cobr.status === "cancelled" && cobr.by === "payer"
  const isFailed = !isHosts && (cobr.status === "expired" || cobr.status === "rejected" || isTakenBack)
  return [
    ...(isFailed ? (["payment-failed"] as const) : []),
    ...(cobr.status === "completed" ? (["paid"] as const) : []),
  ]
}

/** Finds facts that didn't arrive at their receiver, and event ids that stand for two facts. */
export const eventsTellFacts: Find = (seen) => {
  const { receipts, books, written } = seen
  const published = new Set(
    receipts.map(({ event }) =>
      event.kind === "payment-failed"
        ? `${event.kind} ${event.charge?.txid}`
        : `${event.kind} ${"recurrence" in event ? event.recurrence.recurrenceId : event.payment?.txid}`,
    ),
  )
  const expected = [
    ...books.recurrences.flatMap(({ id, _tag }) => {
      const wasApproved = written.some((one) => one.id === id && one.state === "Approved")
      return [
        ...(wasApproved ? [`recurrence-approved ${id}`] : []),
        ...(_tag === "Ended" ? [`recurrence-ended ${id}`] : []),
      ]
    }),
    ...books.charges.flatMap((charge) => chargeEvents(charge, seen).map((kind) => `${kind} ${charge.txid}`)),
  ]
  return [...differentFacts(seen), ...expected.filter((one) => !published.has(one)).map((one) => `${one} has no event`)]
}

export const nothingIsOpen: Find = ({ unanswered, books }) => [
  ...unanswered.map((what) => `${what} has no answer`),
  ...books.deliveries.flatMap(({ event, status }) =>
    reportIf(status === "waiting" || status === "dead", `${event.id} is ${status}`),
  ),
  ...books.recurrences.flatMap(({ _tag, contract }) =>
    reportIf(_tag === "Requested" || _tag === "Ending", `${contract} is still ${_tag}`),
  ),
  ...books.charges.flatMap(({ _tag, txid }) => reportIf(_tag === "Refunding", `${txid} is still Refunding`)),
]
