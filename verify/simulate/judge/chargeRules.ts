import type { Charge, Refund } from "@pixcharge/core/charges"
import type { LedgerCharge, LedgerPayment } from "@pixcharge/simulated-bank"
import { findWrongMarks } from "./marks.ts"
import { backCents, isTooLate } from "./money.ts"
import { shortName } from "./names.ts"
import { type Rules, reportIf } from "./rules.ts"

const dayMs = 86_400_000
const immediateMs = 600_000
/** The bank reports a charge's creation in whole seconds. */
const secondMs = 1_000

export interface SeenCharge {
  readonly charge: Charge
  readonly bank: LedgerCharge | undefined
  /** The settling payment at the bank. */
  readonly paid: LedgerPayment | undefined
  /** True if a process could not look up the charge when it recorded the payment. */
  readonly wasUnseen: boolean
}

const chargeRefunds = (charge: Charge): ReadonlyArray<Refund> => [
  ...("refund" in charge && charge.refund !== undefined ? [charge.refund] : []),
  ...("failedRefund" in charge && charge.failedRefund !== undefined ? [charge.failedRefund] : []),
  ...(charge.partialRefunds ?? []).map(({ refund }) => refund),
]

/** The rules of a charge, but not of its payment and events. */
export const chargeRules: Rules<SeenCharge> = {
  stateFollowsFromMoney: ({ charge, bank, paid, wasUnseen }) => {
    const name = shortName(charge.txid)
    if (!("payment" in charge)) return []
    const { _tag, payment, returns, txid } = charge
    const isUnpaid = ["Pending", "Cancelled"].includes(_tag)
    const back = backCents(payment, returns)
    return [
      ...reportIf(isUnpaid, `${name} is ${_tag} with a payment`),
      ...findWrongMarks({ charge, bank, readRevision: paid?.revision, wasUnseen }).map((what) => `${name}: ${what}`),
      ...reportIf(
        payment.txid !== txid,
        `${name} is settled by ${shortName(payment.endToEndId)}, which names another charge`,
      ),
      ...reportIf(
        _tag === "Refunded" && back < payment.amountCents,
        `${name} is Refunded, but only ${back} of ${payment.amountCents} cents were returned`,
      ),
    ]
  },
  refundsFollowRequests: ({ charge }) => {
    if (!("payment" in charge)) return []
    const { payment } = charge
    const late = chargeRefunds(charge).find((refund) => isTooLate(refund, payment))
    return reportIf(late !== undefined, `the refund ${late?.id} of ${shortName(charge.txid)} was begun after 90 days`)
  },
  bankAsksForTerms: ({ charge, bank }) => {
    const name = shortName(charge.txid)
    const { createdAt, payableUntil, watchUntil } = charge
    const issued = charge.termsRows?.[0] ?? charge
    const isLong = Math.abs(issued.payableUntil - createdAt - immediateMs) > secondMs
    return [
      ...reportIf(
        charge._tag === "Cancelled" && bank?.status === "completed",
        `${name} is Cancelled, but was paid at the bank`,
      ),
      ...reportIf(
        issued.dueDate === undefined && isLong,
        `${name} is payable for ${issued.payableUntil - createdAt} ms`,
      ),
      ...reportIf(watchUntil < payableUntil + dayMs, `${name} is watched for less than a day after it expires`),
    ]
  },
}
