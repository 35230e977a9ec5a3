import { chargeCount } from "./Command.ts"

/** The state of a charge in the model. */
export type State = "Pending" | "Paid" | "Refunding" | "Refunded" | "Cancelled"

export interface ModelCharge {
  state: State
  readonly amountCents: number
  readonly createdAt: number
  settledBy?: number
  attempt: number
  /** The time of the last request of its refund at the bank. */
  calledAt: number
  /** Partial refunds by key. */
  readonly parts: Map<string, ModelPart>
}

export interface ModelPart {
  readonly key: string
  readonly amountCents: number
  attempt: number
  hasFailed: boolean
  calledAt: number
}

export interface ModelPayment {
  charge: number | undefined
  readonly amountCents: number
  readonly returned: Map<string, number>
}

export interface ModelEvent {
  status: "waiting" | "superseded" | "delivered"
  dueAt: number
}

/** The expected state, in plain comparable values. */
export interface Snapshot {
  readonly charges: ReadonlyArray<string>
  readonly payments: ReadonlyArray<string>
  readonly exceptions: ReadonlyArray<string>
  readonly returns: ReadonlyArray<string>
  readonly events: ReadonlyArray<string>
}

export const minute = 60_000

/** The last charge is another company's. */
export const companyIndex = (charge: number): number => (charge === chargeCount - 1 ? 1 : 0)

/** The cents of a payment that a return of this id returns. */
export const returnedShare = (amountCents: number, id: 0 | 1 | 2): number => {
  const half = Math.floor(amountCents / 2)
  if (id === 2) return amountCents
  return id === 0 ? half : amountCents - half
}

export const paymentKey = (charge: number, payment: number): string => `${companyIndex(charge)}/${payment}`

export const returnedCents = ({ returned }: ModelPayment): number =>
  [...returned.values()].reduce((sum, cents) => sum + cents, 0)

export const isWhole = (payment: ModelPayment): boolean => returnedCents(payment) >= payment.amountCents

export const partId = ({ key, attempt }: ModelPart): string => `${key}P${attempt.toString(36)}`

export const partStatus = (part: ModelPart, payment: ModelPayment): string => {
  if (payment.returned.has(partId(part))) return "returned"
  return part.hasFailed ? "failed" : "refunding"
}
