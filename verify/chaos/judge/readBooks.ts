import { txidOf, type Books } from "../../simulate/judge/index.ts"
import type { DeliveryRecord } from "@pixcharge/core"
import type { Charge, PartialRefund, Payment, PaymentException, Refund, Return } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Row } from "./Evidence.ts"
import { groupBy } from "./groupBy.ts"
import type { tables } from "./readRows.ts"

export interface RowBooks extends Books {
  readonly all: { readonly charges: ReadonlyArray<Charge>; readonly exceptions: ReadonlyArray<PaymentException> }
}

type Fields = Readonly<Record<string, unknown>>

const isInstant = /_(?:at|until)$/

/** The columns of a row under the core's names. Times are epoch milliseconds, and nulls are left out. */
const readFields = ({ columns }: Row): Fields =>
  Object.fromEntries(
    Object.entries(columns)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name.replaceAll(/_./g, (start) => start.slice(1).toUpperCase()),
        isInstant.test(name) ? Date.parse(String(value)) : value,
      ]),
  )

const readTag = (state: unknown): string => `${String(state).charAt(0).toUpperCase()}${String(state).slice(1)}`

const readRefund = (tag: string, fields: Fields) => {
  const { refundId: id, refundAttempt: attempt, refundRequestedAt: requestedAt, refundUnanswered: unanswered } = fields
  if (id === undefined) return {}
  const refund = { id, attempt, requestedAt, unanswered } as Refund
  return tag === "Paid" || tag === "Open" ? { failedRefund: refund } : { refund }
}

const readPart = (fields: Fields): PartialRefund =>
  ({ ...fields, ...readRefund("", fields), rejection: fields["refundRejection"] }) as unknown as PartialRefund

const readDelivery = (fields: Fields): DeliveryRecord => {
  const { issuer, eventId: id, kind, occurredAt, supersededAt, event } = fields
  const status = supersededAt === undefined ? "waiting" : "superseded"
  return {
    status,
    ...fields,
    event: { id, kind, issuer, occurredAt, ...(event as object) },
  } as unknown as DeliveryRecord
}

const readCharge = (
  fields: Fields,
  payment: Fields | undefined,
  parts: ReadonlyArray<Fields>,
): Omit<Charge, "returns"> => {
  const { issuer, id, state, settledBy } = fields
  const _tag = readTag(state)
  // Omits a lost payment, so the other rows can be judged.
  const settled = settledBy !== undefined && {
    payment: payment ?? { endToEndId: settledBy },
    ...readRefund(_tag, fields),
  }
  const partialRefunds = parts.length > 0 && { partialRefunds: parts.map(readPart) }
  const { termsRows } = fields
  return {
    ...fields,
    txid: txidOf(String(issuer), String(id)),
    _tag,
    ...settled,
    ...partialRefunds,
    ...(termsRows !== undefined && { termsRows: Object.values(termsRows as object) }),
  } as unknown as Charge
}

const readException = (payment: Fields): Omit<PaymentException, "returns"> => {
  const _tag = readTag(payment["exceptionState"])
  const state = { _tag, ...readRefund(_tag, payment) }
  return { payment, state, version: payment["exceptionVersion"] } as unknown as PaymentException
}

const ofCompany =
  <A extends { readonly issuer: Cnpj }>(all: ReadonlyArray<A>) =>
  (issuer: Cnpj) =>
    Effect.succeed(all.filter((one) => one.issuer === issuer))

/** Reads the books from rows without the store's code. */
export const readBooks = (rows: ReadonlyArray<Row>): RowBooks => {
  const read = (table: (typeof tables)[number]) => rows.filter((row) => row.table === table).map(readFields)
  const payments = new Map(read("payments").map((payment) => [payment["endToEndId"], payment]))
  const parts = groupBy(read("partial_refunds"), ({ chargeId }) => String(chargeId))
  const returns = read("returns") as unknown as ReadonlyArray<Return>
  const byPayment = groupBy(returns, ({ endToEndId }) => endToEndId)
  const withReturns = <A>(one: A, endToEndId: unknown) => ({ ...one, returns: byPayment.get(String(endToEndId)) ?? [] })
  const texts = new Map(read("charge_texts").map((fields) => [`${fields["issuer"]} ${fields["id"]}`, fields]))
  const charges = read("charges").map((row) => {
    const fields = { ...texts.get(`${row["issuer"]} ${row["id"]}`), ...row }
    const { id, settledBy } = fields
    return withReturns(readCharge(fields, payments.get(settledBy), parts.get(String(id)) ?? []), settledBy) as Charge
  })
  const exceptions = [...payments.values()]
    .filter(({ settles }) => settles === false)
    .map((payment) => withReturns(readException(payment), payment["endToEndId"]))
  const deliveries = [...read("deliveries"), ...read("settled_deliveries")].map(readDelivery)
  return {
    all: { charges, exceptions },
    charge: (issuer, id) => Effect.succeed(charges.find((one) => one.issuer === issuer && one.id === id)),
    charges: ofCompany(charges),
    payments: ofCompany(read("payments") as unknown as ReadonlyArray<Payment>),
    returns: ofCompany(returns),
    exception: (issuer, id) =>
      Effect.succeed(exceptions.find(({ payment }) => payment.issuer === issuer && payment.endToEndId === id)),
    deliveries: (issuer, id) =>
      Effect.succeed(
        deliveries.filter(
          ({ event }) => event.issuer === issuer && (id === undefined || event.payment?.chargeId === id),
        ),
      ),
  }
}
