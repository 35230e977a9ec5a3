import { InvalidOption } from "@pixcharge/core"
import type { ChargeRequestInput } from "@pixcharge/core/charges"
import type { CompanyInput } from "@pixcharge/core/directory"
import { chargeRequestFields, type Fields, unknownField } from "@pixcharge/core/internal"
import type { RecurrenceRequestInput } from "@pixcharge/core/recurrence"

interface IssuerFacts {
  /** The fields of the issuing company that differ from those of `testPix().company`. */
  readonly company?: Partial<CompanyInput>
}

/** How a charge was asked for. By default an immediate one of R$ 19,90, under a new id. */
export interface RequestFacts extends Partial<ChargeRequestInput>, IssuerFacts {
  /** Epoch milliseconds; by default noon of 1 March 2027 in Brasília. */
  readonly createdAt?: number
  readonly recurrence?: undefined
}

/** How the charge of a recurrence's cycle came about. Its id, due date and moments follow from these. */
export interface CycleFacts extends IssuerFacts {
  /** The recurrence; by default monthly from 15 March 2027, under a new id. Offered two weeks before it starts. */
  readonly recurrence: Partial<Omit<RecurrenceRequestInput, "amountCents" | "floorCents" | "journey">>
  /** Counted from 1, the default. */
  readonly cycle?: number
  /** Of this cycle; by default R$ 19,90. */
  readonly amountCents?: number
}

/** How a charge came about. */
export type ChargeFacts = RequestFacts | CycleFacts

/** How a charge was paid. */
export interface PaymentFacts {
  readonly payment?: {
    /** By default what was due on its day. */
    readonly amountCents?: number
    /** Epoch milliseconds; by default a minute after the charge was made, of a cycle 08:00 in Brasília of its day. */
    readonly paidAt?: number
    readonly endToEndId?: string
  }
}

/** How the refund of a paid charge began. */
export interface RefundFacts extends PaymentFacts {
  readonly refund?: {
    /** Epoch milliseconds; by default an hour after the payment. */
    readonly requestedAt?: number
    readonly reason?: string
  }
}

/** The moment at which a charge was cancelled. */
export interface CancelFacts {
  /** Epoch milliseconds; by default a minute after the charge was made. */
  readonly cancelledAt?: number
}

/** The moment at which the money of a charge was back. */
export interface ReturnFacts extends RefundFacts {
  /** Epoch milliseconds; by default a minute after the refund was requested. */
  readonly refundedAt?: number
}

/** How a refund was refused. */
export interface RefusalFacts extends RefundFacts {
  /** The processor's words. */
  readonly rejection?: string
}

const requestFields: Fields = { ...chargeRequestFields, company: true, createdAt: true }

const recurrenceFields: Fields = {
  id: true,
  contract: true,
  payer: true,
  title: true,
  period: true,
  startDate: true,
  endDate: true,
  retries: true,
}

const cycleFields: Fields = { recurrence: recurrenceFields, cycle: true, amountCents: true, company: true }

/** The fields of a payment. */
export const paymentFields: Fields = { payment: { amountCents: true, paidAt: true, endToEndId: true } }

/** The fields of a refund, and of the payment that it returns. */
export const refundFields: Fields = { ...paymentFields, refund: { requestedAt: true, reason: true } }

const groups = ["company", "recurrence", "payment", "refund"]

/** Plain JavaScript may give null, as if a paid charge could be without a payment. */
const groupFlaw = (facts: object): string | undefined => {
  const odd = groups.find((name) => {
    const group: unknown = Reflect.get(facts, name)
    return group === null || !["object", "undefined"].includes(typeof group)
  })
  return odd && `${odd} must be an object, or be left out`
}

/** Throws if a fact is none of a charge's and none of these: a misspelt one would count for nothing. */
export const checkFacts = (maker: string, facts: ChargeFacts, besides: Fields = {}): void => {
  const fields = facts.recurrence === undefined ? requestFields : cycleFields
  const flaw = unknownField(facts, { ...fields, ...besides }) ?? groupFlaw(facts)
  if (flaw !== undefined) throw new InvalidOption({ message: `${maker}: ${flaw}.` })
}

/** The moment, unless it is no whole number, or lies before what it follows. */
export const checkMoment = (name: string, at: number, earliest = 0): number => {
  if (Number.isInteger(at) && at >= earliest) return at
  const from = `${earliest} (${new Date(earliest).toISOString()})`
  throw new InvalidOption({ message: `${name} must be whole epoch milliseconds, from ${from} on.` })
}
