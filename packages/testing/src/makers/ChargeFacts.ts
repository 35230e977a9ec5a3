import { InvalidOption } from "@pixcharge/core"
import type { ChargeRequestInput, ExceptionReason } from "@pixcharge/core/charges"
import type { CompanyInput } from "@pixcharge/core/directory"
import { chargeRequestFields, type Fields, unknownField } from "@pixcharge/core/internal"
import type { RecurrenceRequestInput } from "@pixcharge/core/recurrence"

interface IssuerFacts {
  /** The fields that differ from `testPix().company`. */
  readonly company?: Partial<CompanyInput>
}

/** The request of a charge; by default of an immediate charge of R$ 19,90 with a new id. */
export interface RequestFacts extends Partial<ChargeRequestInput>, IssuerFacts {
  /** Epoch milliseconds; by default noon of 1 March 2027 in Brasília. */
  readonly createdAt?: number
  readonly recurrence?: undefined
}

/** The recurrence and cycle of a charge, which determine its id, due date and times. */
export interface CycleFacts extends IssuerFacts {
  /** By default a monthly recurrence from 15 March 2027 with a new id. It was offered two weeks before its start. */
  readonly recurrence: Partial<Omit<RecurrenceRequestInput, "amountCents" | "floorCents" | "journey">>
  /** The cycle's number, from 1, which is the default. */
  readonly cycle?: number
  /** The amount of this cycle in cents; by default R$ 19,90. */
  readonly amountCents?: number
}

export type ChargeFacts = RequestFacts | CycleFacts

export interface PaymentFacts {
  readonly payment?: {
    /** Cents; by default the amount due on the day of the payment. */
    readonly amountCents?: number
    /** Epoch milliseconds; by default a minute after the charge was made; for a cycle's charge, 08:00 in Brasília on its day. */
    readonly paidAt?: number
    readonly endToEndId?: string
  }
}

export interface RefundFacts extends PaymentFacts {
  readonly refund?: {
    /** Epoch milliseconds; by default an hour after the payment. */
    readonly requestedAt?: number
    readonly reason?: string
  }
}

export interface CancelFacts {
  /** Epoch milliseconds; by default a minute after the charge was made. */
  readonly cancelledAt?: number
}

export interface ReturnFacts extends RefundFacts {
  /** Epoch milliseconds; by default a minute after the refund was requested. */
  readonly refundedAt?: number
}

export interface PartFacts extends PaymentFacts {
  readonly part?: {
    /** Cents; by default half of the payment. */
    readonly amountCents?: number
    readonly key?: string
  }
}

/** A payment that settled no charge; by default it was made two minutes after the charge. */
export interface ExceptionFacts extends RequestFacts, PaymentFacts {
  /** By default `furtherPayment`. An `unmatched` payment names no charge. */
  readonly reason?: ExceptionReason
}

export interface RefusalFacts extends RefundFacts {
  /** The reason that the processor gives. */
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
  retryOn: true,
}

const cycleFields: Fields = { recurrence: recurrenceFields, cycle: true, amountCents: true, company: true }

export const paymentFields: Fields = { payment: { amountCents: true, paidAt: true, endToEndId: true } }

export const refundFields: Fields = { ...paymentFields, refund: { requestedAt: true, reason: true } }

const groups = ["company", "recurrence", "payment", "refund"]

/** Finds a group that isn't an object, because plain JavaScript can pass null. */
const groupFlaw = (facts: object): string | undefined => {
  const invalidGroup = groups.find((name) => {
    const group: unknown = Reflect.get(facts, name)
    return group === null || !["object", "undefined"].includes(typeof group)
  })
  return invalidGroup && `${invalidGroup} must be an object, or be left out`
}

/** Throws for an unknown field, which would otherwise be ignored. */
export const checkFacts = (maker: string, facts: ChargeFacts, extraFields: Fields = {}): void => {
  const fields = facts.recurrence === undefined ? requestFields : cycleFields
  const flaw = unknownField(facts, { ...fields, ...extraFields }) ?? groupFlaw(facts)
  if (flaw !== undefined) throw new InvalidOption({ message: `${maker}: ${flaw}.` })
}

/** Returns the time. Throws unless it is a whole number and not earlier than `earliest`. */
export const checkMoment = (name: string, at: number, earliest = 0): number => {
  if (Number.isInteger(at) && at >= earliest) return at
  const from = `${earliest} (${new Date(earliest).toISOString()})`
  throw new InvalidOption({ message: `${name} must be whole epoch milliseconds, from ${from} on.` })
}
