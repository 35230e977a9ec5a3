import type { DeliveryRecord } from "@pixcharge/core"
import type { Charge, PartialRefund, Payment, PaymentException, Refund, Return } from "@pixcharge/core/charge"
import type { Books } from "@pixcharge/testkit/judge"
import * as Effect from "effect/Effect"
import type { Row } from "./Evidence.ts"
import { groupBy } from "./groupBy.ts"
import type { tables } from "./readRows.ts"

type Table = (typeof tables)[number]
type Fields = Readonly<Record<string, unknown>>

const isInstant = /_(?:at|until)$/

/** A row's columns by the core's names: instants in epoch milliseconds, and nothing where a column is null. */
const readFields = ({ columns }: Row): Fields =>
  Object.fromEntries(
    Object.entries(columns)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name.replaceAll(/_./g, (start) => start.slice(1).toUpperCase()),
        isInstant.test(name) ? Date.parse(String(value)) : value,
      ]),
  )

const tagOf = (state: unknown): string => `${String(state).charAt(0).toUpperCase()}${String(state).slice(1)}`

/** The refund of a row, under the name that it has in this state. */
const readRefund = (tag: string, fields: Fields) => {
  if (fields["refundId"] === undefined) return {}
  const { refundId: id, refundAttempt: attempt, refundRequestedAt: requestedAt, refundUnanswered: unanswered } = fields
  const refund = { id, attempt, requestedAt, unanswered } as Refund
  return tag === "Paid" || tag === "Open" ? { failedRefund: refund } : { refund }
}

const readPart = (fields: Fields): PartialRefund =>
  ({ ...fields, ...readRefund("", fields), rejection: fields["refundRejection"] }) as unknown as PartialRefund

const readDelivery = (fields: Fields): DeliveryRecord =>
  ({ status: fields["supersededAt"] === undefined ? "waiting" : "superseded", ...fields }) as unknown as DeliveryRecord

/** What the rows say, read by no code of the store's. */
export class RowBooks implements Books {
  readonly all: {
    readonly charges: ReadonlyArray<Charge>
    readonly exceptions: ReadonlyArray<PaymentException>
    readonly payments: ReadonlyArray<Payment>
    readonly returns: ReadonlyArray<Return>
    readonly deliveries: ReadonlyArray<DeliveryRecord>
  }

  constructor(rows: ReadonlyArray<Row>) {
    const read = (table: Table) => rows.filter((row) => row.table === table).map(readFields)
    const payments = read("payments")
    const returns = groupBy(read("returns"), ({ endToEndId }) => String(endToEndId))
    const parts = groupBy(read("partial_refunds"), ({ chargeId }) => String(chargeId))
    const returnsOf = (endToEndId: unknown) => returns.get(String(endToEndId)) ?? []
    const readCharge = (fields: Fields): Charge => {
      const _tag = tagOf(fields["state"])
      const { settledBy } = fields
      // One that is lost is no reason not to judge the rest.
      const payment = payments.find(({ endToEndId }) => endToEndId === settledBy) ?? { endToEndId: settledBy }
      const partialRefunds = parts.get(String(fields["id"]))?.map(readPart)
      const settled = settledBy !== undefined && { payment, partialRefunds, ...readRefund(_tag, fields) }
      const txid = String(fields["id"]).replaceAll("-", "")
      return { ...fields, txid, _tag, ...settled, returns: returnsOf(settledBy) } as unknown as Charge
    }
    const readException = (payment: Fields): PaymentException => {
      const _tag = tagOf(payment["exceptionState"])
      const state = { _tag, ...readRefund(_tag, payment) }
      const { exceptionVersion: version, endToEndId } = payment
      return { payment, state, version, returns: returnsOf(endToEndId) } as unknown as PaymentException
    }
    this.all = {
      charges: read("charges").map(readCharge),
      exceptions: payments.filter(({ settles }) => settles === false).map(readException),
      payments: payments as unknown as ReadonlyArray<Payment>,
      returns: [...returns.values()].flat() as unknown as ReadonlyArray<Return>,
      deliveries: [...read("deliveries"), ...read("settled_deliveries")].map(readDelivery),
    }
  }

  readonly charges: Books["charges"] = (issuer) =>
    Effect.succeed(this.all.charges.filter((one) => one.issuer === issuer))

  readonly charge: Books["charge"] = (issuer, id) =>
    Effect.succeed(this.all.charges.find((one) => one.issuer === issuer && one.id === id))

  readonly payments: Books["payments"] = (issuer) =>
    Effect.succeed(this.all.payments.filter((one) => one.issuer === issuer))

  readonly returns: Books["returns"] = (issuer) =>
    Effect.succeed(this.all.returns.filter((one) => one.issuer === issuer))

  readonly exception: Books["exception"] = (issuer, endToEndId) =>
    Effect.succeed(
      this.all.exceptions.find(({ payment }) => payment.issuer === issuer && payment.endToEndId === endToEndId),
    )

  readonly deliveries: Books["deliveries"] = (issuer, chargeId) =>
    Effect.succeed(
      this.all.deliveries.filter(
        ({ event }) => event.issuer === issuer && (chargeId === undefined || event.payment?.chargeId === chargeId),
      ),
    )
}
