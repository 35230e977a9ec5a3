import { createHash } from "node:crypto"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import type { Evidence, Operation, Row, Sale, Told } from "./Evidence.ts"
import { groupBy } from "./groupBy.ts"
import { returnedCents } from "./judgeMoney.ts"
import type { RowIndex } from "./RowIndex.ts"

type Columns = Row["columns"]

const answersTo = ({ told }: Sale, ...operations: ReadonlyArray<Operation>): ReadonlyArray<Told> =>
  told.filter(({ operation, answer }) => operations.includes(operation) && answer !== undefined)

/** What the charge's row must be, and isn't. */
const judgeRow = (sale: Sale, charge: Columns): ReadonlyArray<string> => {
  const flaws: Array<string> = []
  const { amountCents } = sale
  for (const { answer } of answersTo(sale, "issue")) {
    const isSame = answer?.transactionId === charge["transaction_id"] && answer?.brCode === charge["br_code"]
    if (!isSame) flaws.push("was issued as another charge")
  }
  if (charge["amount_cents"] !== amountCents) flaws.push(`has ${String(charge["amount_cents"])} cents`)
  return flaws
}

/** The state that follows from the money, and from what callers have asked for. */
const expectedState = (sale: Sale, settling: LedgerPayment | undefined): string => {
  if (settling === undefined) return answersTo(sale, "cancel").length > 0 ? "cancelled" : "pending"
  return returnedCents(settling) === settling.amountCents ? "refunded" : "paid"
}

/**
 * Each move has a version of its own: the first payment is one, a cancellation is one, and each refund is two, for it is stored before
 * the bank is called.
 */
const minVersion = (state: string, settling: LedgerPayment | undefined): number => {
  if (settling === undefined) return state === "cancelled" ? 1 : 0
  return 1 + 2 * settling.returns.filter(({ status }) => status === "returned").length
}

const judgeState = (sale: Sale, charge: Columns, payments: ReadonlyArray<LedgerPayment>): ReadonlyArray<string> => {
  const { state, settled_by: settledBy, version } = charge
  const settling = payments.find(({ endToEndId }) => endToEndId === settledBy)
  const flaws: Array<string> = []
  if (payments.length > 0 && settling === undefined) flaws.push("was paid, and no payment has settled it")
  const expected = expectedState(sale, settling)
  if (state !== expected) flaws.push(`must be ${expected}, and is ${String(state)}`)
  const least = minVersion(String(state), settling)
  if (Number(version) < least) flaws.push(`has moved ${String(version)} times, and must have ${least} times or more`)
  return flaws
}

/** The id of a return of ours without its attempt (decision 50). */
const partId = (endToEndId: string, key: string): string =>
  createHash("sha256").update(`${endToEndId.toLowerCase()} ${key}`).digest("hex").slice(0, 30)

/** Parts that went back without an answer that says so, with other cents, twice, or not although they were told. */
const judgeParts = (sale: Sale, settling: LedgerPayment, rows: RowIndex): ReadonlyArray<string> =>
  [...sale.parts].flatMap(([key, amountCents]) => {
    const id = partId(settling.endToEndId, key)
    // An older release had another id for it.
    const booked = rows.of("partial_refunds", sale.id).find((row) => row["key"] === key)?.["refund_id"]
    const isIts = (one: string) => one.toLowerCase().startsWith(id) || one === booked
    const made = settling.returns.filter((one) => one.status === "returned" && isIts(one.id))
    const isTold = answersTo(sale, "refundPart").some((one) => one.key === key && one.answer?.status === "returned")
    const flaws: Array<string> = []
    if (made.length !== (isTold ? 1 : 0)) {
      flaws.push(`part ${key} was ${isTold ? "" : "not "}told returned, and went back ${made.length} times`)
    }
    if (made.some((one) => one.amountCents !== amountCents)) flaws.push(`part ${key} went back with other cents`)
    return flaws
  })

/** What was told of refunds of the whole, and of payments. */
const judgeTold = (sale: Sale, settling: LedgerPayment | undefined): ReadonlyArray<string> => {
  const flaws: Array<string> = []
  const isRefunded = answersTo(sale, "refund").some(({ answer }) => answer?.status === "refunded")
  if (isRefunded && (settling === undefined || returnedCents(settling) !== settling.amountCents)) {
    flaws.push("was told refunded, and its money is not back")
  }
  for (const { answer, operation } of answersTo(sale, "confirmPayment", "find")) {
    if (answer?.settledBy !== undefined && answer.settledBy !== settling?.endToEndId) {
      flaws.push(`was paid by ${answer.settledBy}, said ${operation}, and is by ${settling?.endToEndId}`)
    }
  }
  return flaws
}

/** Payments that settled nothing: each is as it was dealt with. */
const judgeExceptions = (sale: Sale, exceptions: ReadonlyArray<LedgerPayment>, rows: RowIndex): ReadonlyArray<string> =>
  exceptions.flatMap((payment) => {
    const { endToEndId, amountCents, returns } = payment
    const row = rows.of("payments", endToEndId)[0]
    const told = (operation: Operation) => answersTo(sale, operation).some(({ key }) => key === endToEndId)
    const isBack = returnedCents(payment) === amountCents
    const isResolved = told("exceptions.resolve")
    const state = isBack ? "refunded" : isResolved ? "resolved" : "open"
    const flaws: Array<string> = []
    if (row?.["exception_state"] !== state)
      flaws.push(`exception ${endToEndId} must be ${state}, and is ${String(row?.["exception_state"])}`)
    if (told("exceptions.refund") !== isBack)
      flaws.push(`exception ${endToEndId} is ${isBack ? "" : "not "}back, and that was told otherwise`)
    const least = (isResolved ? 1 : 0) + 2 * returns.filter(({ status }) => status === "returned").length
    if (Number(row?.["exception_version"]) < least)
      flaws.push(`exception ${endToEndId} has moved fewer than ${least} times`)
    return flaws
  })

/** Charges that are not what callers were told, or what follows from their money. */
export const judgeSales = ({ sales, payments }: Evidence, rows: RowIndex): ReadonlyArray<string> => {
  const asked = new Set(sales.map(({ id }) => id))
  const invented = rows.all("charges").filter(({ id }) => !asked.has(String(id)))
  const byTxid = groupBy(payments, ({ txid }) => txid ?? "")
  const flawsOf = (sale: Sale): ReadonlyArray<string> => {
    const paid = byTxid.get(sale.id.replaceAll("-", "")) ?? []
    const charge = rows.of("charges", sale.id)[0]
    if (charge === undefined)
      return answersTo(sale, "issue").length > 0 ? [`charge ${sale.id} was issued, and is lost`] : []
    const settling = paid.find(({ endToEndId }) => endToEndId === charge["settled_by"])
    const flaws = [
      ...judgeRow(sale, charge),
      ...judgeState(sale, charge, paid),
      ...judgeTold(sale, settling),
      ...(settling ? judgeParts(sale, settling, rows) : []),
      ...judgeExceptions(
        sale,
        paid.filter((payment) => payment !== settling),
        rows,
      ),
    ]
    return flaws.map((flaw) => `charge ${sale.id} ${flaw}`)
  }
  return [...invented.map(({ id }) => `charge ${String(id)} was asked for by nobody`), ...sales.flatMap(flawsOf)]
}
