import type { RefundOrder } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import type { StoreCall } from "./describeWrite.ts"
import type { Ask, Evidence } from "./Evidence.ts"
import { bankKey } from "./money.ts"
import { refundFamily, shortName } from "./names.ts"
import { reportIf, type Rules } from "./rules.ts"

/** How old the result of a key's look-up can be in a suspended process. */
const suspendedMs = 15 * 60_000
/**
 * How long a refund waits for the look-up of its payment: an hour (decision 50), less more than the clocks' difference.
 */
const lookMs = 3_600_000 - 150_000

interface SeenOwners extends Pick<Evidence, "ledger" | "accounts"> {
  readonly now: number
}

export interface SeenOrder extends SeenOwners, Pick<Ask, "method" | "args"> {
  /** When the requested refund was begun, if its process has looked up the payment since then. */
  readonly lookedAfter: number | undefined
  /** True if the look-up of its charge showed the payment without a key. */
  readonly hidesKey: boolean
}

const isChargeOfAnother = (seen: SeenOwners, { issuer, txid }: Charge): boolean =>
  seen.accounts.isKeyOfAnother(issuer, bankKey(seen, { issuer, txid }), seen.now - suspendedMs)

/**
 * The rules of orders to the bank: a company returns only its own payments and cancels only its own charges (decision
 * 59).
 */
export const orderRules: Rules<SeenOrder> = {
  refundsFollowRequests: (seen) => {
    if (seen.method !== "refund") return []
    const { accounts, ledger, now, lookedAfter = -Infinity, hidesKey } = seen
    const { issuer, endToEndId, refundId } = seen.args[0] as RefundOrder
    const payment = ledger.payments.get(endToEndId)
    if (payment === undefined) return []
    const { pixKey, txid } = payment
    const isOfCharge = refundFamily(refundId).endsWith("P")
    const keys = [hidesKey ? undefined : pixKey, isOfCharge && txid ? bankKey(seen, { issuer, txid }) : undefined]
    const isOfAnother = keys.some((key) => accounts.isKeyOfAnother(issuer, key, lookedAfter))
    const name = `${issuer} returns ${shortName(endToEndId)}`
    return [
      ...reportIf(!accounts.mayOwn(issuer, payment), `${name}, which is not its own`),
      ...reportIf(
        now < lookedAfter + lookMs && isOfAnother,
        `${name}, which the bank shows under another company's key`,
      ),
    ]
  },
  bankAsksForTerms: (seen) => {
    if (seen.method !== "cancel") return []
    const charge = seen.args[0] as Charge
    return reportIf(
      isChargeOfAnother(seen, charge),
      `${shortName(charge.txid)} is removed, but its key is another company's`,
    )
  },
}

/** The rules of a new charge in the books: its key belongs to its company (decision 59). */
export const adoptionRules: Rules<SeenOwners & StoreCall> = {
  bankAsksForTerms: (seen) => {
    if (`${seen.port}.${seen.method}` !== "store.insert") return []
    const charge = seen.args[0] as Charge
    const isNew = (seen.answer as { readonly _tag: string })._tag === "Inserted"
    return reportIf(
      isNew && isChargeOfAnother(seen, charge),
      `${shortName(charge.txid)} is adopted, but its key is another company's`,
    )
  },
}
