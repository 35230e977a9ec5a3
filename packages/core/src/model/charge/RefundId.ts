import type { Payment, Return } from "./Payment.ts"
import { sha256 } from "./sha256.ts"

// Ids of refunds at the processor (`devolucao.id`: 35 characters of `[a-zA-Z0-9]`). Each follows from facts that no lost
// commit and no restored backup takes back, so that a refund that is asked for again is the same one at the processor.

/** A refund's id is asked for several times over, from the search for its return to its answer. */
let lastHashed = { text: "", digits: "" }

const firstDigits = (text: string): string => {
  if (lastHashed.text !== text) lastHashed = { text, digits: sha256(text).slice(0, 30) }
  return lastHashed.digits
}

/** Of the n-th attempt, from 1, to return the part of a payment that was asked back under a key; up to the 1 679 615th. */
export const partialRefundId = ({ endToEndId }: Pick<Payment, "endToEndId">, key: string, attempt: number): string =>
  `${firstDigits(`${endToEndId.toLowerCase()} ${key}`)}P${attempt.toString(36)}`

/** The same of all of a charge's payment: no key of a part has a space. */
export const chargeRefundId = (payment: Pick<Payment, "endToEndId">, attempt: number): string =>
  partialRefundId(payment, "all of it", attempt)

/** The same of a payment that settled no charge, up to the 100th attempt. */
export const exceptionRefundId = ({ endToEndId }: Pick<Payment, "endToEndId">, attempt: number): string =>
  `${endToEndId}X${attempt - 1}`

/** What all attempts at one refund of a charge's payment have in common; of any other the whole id. Processors write ids in either case. */
const withoutAttempt = (id: string): string => id.toLowerCase().replace(/^([0-9a-f]{30}p)[0-9a-z]{1,4}$/, "$1")

/** Which attempt at its refund this id is of. */
export const attemptNumber = (id: string): number => Number.parseInt(id.slice(withoutAttempt(id).length), 36)

/** Whether two returns of one payment are attempts at the same refund, or the same return. */
export const isSameRefund = (a: Pick<Return, "id">, b: Pick<Return, "id">): boolean =>
  withoutAttempt(a.id) === withoutAttempt(b.id)

const chargeRefund = /^[0-9a-f]{30}p[0-9a-z]{1,4}$/

/** Whether we ordered the return as a refund of a charge, of all or of a part: its payment then settled the charge. */
export const isChargeRefund = ({ id }: Pick<Return, "id">): boolean => chargeRefund.test(id.toLowerCase())

/** Whether we ordered it as the refund of a payment that settled no charge. */
export const isExceptionRefund = ({ id, endToEndId }: Pick<Return, "id" | "endToEndId">): boolean =>
  !isChargeRefund({ id }) && ownRefundId(id, { endToEndId }) !== undefined

/**
 * The id of a refund of ours as we wrote it, of a return of this payment; undefined for a return that others made. A
 * processor may write it in another case.
 */
export const ownRefundId = (id: string, { endToEndId }: Pick<Payment, "endToEndId">): string | undefined => {
  const lower = id.toLowerCase()
  if (chargeRefund.test(lower)) return lower.replace("p", "P")
  const [, payment, attempt] = /^(.{32})x(\d+)$/.exec(lower) ?? []
  return payment === endToEndId.toLowerCase() ? `${endToEndId}X${attempt}` : undefined
}
