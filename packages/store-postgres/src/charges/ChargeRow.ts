import {
  type CancelledCharge,
  type Charge,
  type ChargeId,
  type ChargeTerms,
  chargeTxid,
  type ExceptionState,
  type FailedRefund,
  type PartialRefund,
  type Payment,
  type PayerContact,
  type PaymentStanding,
  type PendingCharge,
  personalFields,
  type Refund,
  type Return,
  type ShopTexts,
  type TermsRow,
} from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj, Payer } from "@pixcharge/core/party"
import type { ChargeCycle } from "@pixcharge/core/recurrence"
import { type AnyField, bigint, boolean, Columns, day, instant, integer, json, text, uuid } from "../sql/Columns.ts"
import type { Row } from "../sql/Database.ts"
import { isTrue, numberIn, textIn, textOr } from "../sql/values.ts"

export const chargeKey = ({ issuer, id }: { readonly issuer: string; readonly id: string }): string => `${issuer} ${id}`

export const chargeKeyFromRow = (row: Row): string => `${textIn(row, "issuer")} ${textIn(row, "id")}`

type ChargeTexts = Pick<ChargeTerms, "payer" | "messageToPayer" | "additionalInfo" | "fees" | "closedDays" | "brCode">

const personal = personalFields.terms

export const payerColumns = new Columns<Payer>({ name: text, taxId: text }, { prefix: "payer_" })

export const chargeTexts = new Columns<ChargeTexts>(
  {
    payer: payerColumns,
    messageToPayer: text,
    additionalInfo: json,
    fees: json,
    closedDays: json,
    brCode: text,
  },
  { personal },
)

export const shopTexts = new Columns<ShopTexts>({ reference: text, metadata: json }, { personal })

const requestedTerms = new Columns<Pick<ChargeTerms, "requested">>({ requested: json })

const payerContact = new Columns<PayerContact>(
  { email: text, address: json },
  { prefix: "payer_", personal: { email: personal.payer, address: personal.payer } },
)

export const ownTexts = requestedTerms.and(payerContact)

/** The columns of `charges` that no usual move writes. The txid has no column: it's computed from company and id. */
export const chargeFacts = new Columns<
  Omit<ChargeTerms, keyof ChargeTexts | keyof ShopTexts | "requested" | "txid" | "cycle"> &
    Pick<PendingCharge, "lookUpAt">
>(
  {
    issuer: text,
    id: uuid,
    transactionId: uuid,
    amountCents: bigint,
    dueDate: day,
    payerErasedAt: instant,
    createdAt: instant,
    payableUntil: instant,
    watchUntil: instant,
    lookUpAt: instant,
  },
  { personal },
)

type CycleKey = Pick<ChargeCycle, "recurrenceId" | "cycle" | "generation">

export const chargeCycle = new Columns<CycleKey & { readonly cycleTerms: Omit<ChargeCycle, keyof CycleKey> }>({
  recurrenceId: uuid,
  cycle: integer,
  generation: integer,
  cycleTerms: json,
})

export const lastRefund = new Columns<Refund & Partial<FailedRefund>>(
  { id: text, attempt: integer, requestedAt: instant, unanswered: json, reason: text, rejection: text },
  { prefix: "refund_", personal: personalFields.refund },
)

type RareState = Pick<Charge, "debit"> & Pick<CancelledCharge, "cancelledBy"> & Pick<PendingCharge, "expiryEventAt">

type OtherFields =
  | "_tag"
  | "lookUpAt"
  | keyof RareState
  | "refund"
  | "failedRefund"
  | "payment"
  | "returns"
  | "partialRefunds"
  | "termsRows"

export const chargeState = new Columns<AnyField<Charge, keyof ChargeTerms | OtherFields>>({
  version: integer,
  updatedAt: instant,
  checkAt: instant,
  refundedAt: instant,
  cancelledAt: instant,
})

/** The state that few charges have. */
export const rareState = new Columns<RareState>({ debit: json, cancelledBy: text, expiryEventAt: instant })

const paymentFields = {
  issuer: text,
  endToEndId: text,
  txid: text,
  chargeId: uuid,
  amountCents: bigint,
  paidAt: instant,
  recordedAt: instant,
  late: boolean,
  otherAmount: boolean,
}

export const paymentColumns = new Columns<Payment>(paymentFields)

export const settlingPayment = new Columns<Payment>(paymentFields, { shownAs: "p_" })

export const returnColumns = new Columns<Return>({
  issuer: text,
  endToEndId: text,
  id: text,
  kind: text,
  amountCents: bigint,
  returnedAt: instant,
})

export const partialRefund = new Columns<Omit<PartialRefund, "refund" | "rejection">>({
  key: text,
  amountCents: bigint,
  requestedAt: instant,
})

export const writeTexts = (row: Record<string, unknown>, charge: Charge): void => {
  chargeTexts.write(row, charge)
  shopTexts.write(row, charge)
  requestedTerms.write(row, charge)
  if (charge.payer !== undefined) payerContact.write(row, charge.payer)
}

export const newChargeRow = (charge: PendingCharge) => {
  const row: Record<string, unknown> = {}
  chargeFacts.write(row, charge)
  writeTexts(row, charge)
  chargeState.write(row, charge)
  rareState.write(row, charge)
  if (charge.cycle !== undefined) Object.assign(row, cycleRow(charge.cycle))
  return row
}

const cycleRow = ({ recurrenceId, cycle, generation, ...cycleTerms }: ChargeCycle) =>
  chargeCycle.toRow({ recurrenceId, cycle, generation, cycleTerms })

/** The columns that a move writes. */
export const chargeStateRow = (charge: Charge) => {
  const refund = "refund" in charge ? charge.refund : charge._tag === "Paid" ? charge.failedRefund : undefined
  return {
    state: charge._tag.toLowerCase(),
    ...("payment" in charge && { settled_by: charge.payment.endToEndId }),
    ...chargeState.toRow(charge),
    ...rareState.toRow(charge),
    ...(refund && lastRefund.toRow(refund)),
  }
}

/** Processors write the same id in upper or lower case. */
export const distinctReturns = (returned: ReadonlyArray<Return>): ReadonlyArray<Return> => [
  ...new Map(returned.map((one) => [`${one.endToEndId} ${one.id.toLowerCase()}`, one])).values(),
]

export const partialRefundRow = (part: PartialRefund) => ({
  ...partialRefund.toRow(part),
  ...lastRefund.toRow({ ...part.refund, ...(part.rejection !== undefined && { rejection: part.rejection }) }),
})

export const returnsFromJson = (aggregate: unknown): ReadonlyArray<Return> => {
  const rows = textOr(aggregate)
  return rows === undefined ? [] : (JSON.parse(rows) as ReadonlyArray<Row>).map(returnColumns.fromRow)
}

const partialRefundFromRow = (row: Row): PartialRefund => {
  const { rejection, ...refund } = lastRefund.fromRow(row)
  return { ...partialRefund.fromRow(row), refund, ...(rejection !== undefined && { rejection }) }
}

/** Returns undefined for null. */
export const tagFrom = <Tag extends string>(state: unknown): Tag | undefined => {
  const name = textOr(state)
  return name === undefined ? undefined : ((name.charAt(0).toUpperCase() + name.slice(1)) as Tag)
}

export const standingFromRow = (row: Row): PaymentStanding => {
  const chargeId = textOr(row["charge_id"])
  const charge = tagFrom<Charge["_tag"]>(row["state"])
  const exception = tagFrom<ExceptionState["_tag"]>(row["exception_state"])
  return {
    issuer: textIn(row, "issuer") as Cnpj,
    endToEndId: textIn(row, "end_to_end_id"),
    amountCents: numberIn(row, "amount_cents") as Cents,
    ...(chargeId !== undefined && { chargeId: chargeId as ChargeId }),
    ...(charge !== undefined && { charge }),
    ...(exception !== undefined && { exception }),
    ...(isTrue(row["is_returned"]) && { isReturned: true }),
    returns: returnsFromJson(row["returns"]),
  }
}

const refundFromRow = (row: Row) => {
  const refund = lastRefund.read(row)
  return refund && (refund.rejection === undefined ? { refund } : { failedRefund: refund })
}

const cycleFromRow = (row: Row): Pick<Charge, "cycle"> | undefined => {
  const facts = chargeCycle.read(row)
  if (facts === undefined) return undefined
  const { cycleTerms, ...cycle } = facts
  return { cycle: { ...cycle, ...cycleTerms } }
}

const rareFromRow = ({ rare }: Row, { payer }: ChargeTexts) => {
  const written = textOr(rare)
  if (written === undefined) return undefined
  const row = JSON.parse(written) as Row
  return {
    ...requestedTerms.fromRow(row),
    ...shopTexts.fromRow(row),
    ...(payer && { payer: { ...payer, ...payerContact.fromRow(row) } }),
    ...rareState.fromRow(row),
    ...cycleFromRow(row),
  }
}

interface Rows {
  readonly partial_refunds: ReadonlyArray<Row> | null
  readonly terms_rows: Readonly<Record<string, TermsRow>> | null
}

const rowsFromRow = ({ rows }: Row): Pick<Charge, "partialRefunds" | "termsRows"> | undefined => {
  const written = textOr(rows)
  if (written === undefined) return undefined
  const { partial_refunds: parts, terms_rows: terms } = JSON.parse(written) as Rows
  return {
    ...(parts && { partialRefunds: parts.map(partialRefundFromRow) }),
    ...(terms && { termsRows: Object.values(terms) }),
  }
}

export const chargeFromRow = (row: Row): Charge => {
  const facts = chargeFacts.fromRow(row)
  const texts = chargeTexts.fromRow(row)
  const payment = settlingPayment.read(row)
  return {
    _tag: tagFrom(row["state"]),
    txid: chargeTxid(facts.issuer, facts.id),
    returns: returnsFromJson(row["returns"]),
    ...facts,
    ...texts,
    ...chargeState.fromRow(row),
    ...rareFromRow(row, texts),
    ...(payment && { payment }),
    ...refundFromRow(row),
    ...rowsFromRow(row),
  } as Charge
}
