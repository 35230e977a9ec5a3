import type { PaymentPage, PaymentSearch } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import { shortName } from "./names.ts"
import type { SeenWord } from "./processorRules.ts"

/**
 * How long before its request a list can end. Banks date and list by the second, the bank's clock is known within 5 s,
 * and the answer that showed the clock took up to 3.5 s.
 */
export const unlistedMs = 12_000

interface Walk {
  /** Epoch milliseconds. */
  readonly since: number
  readonly listed: ReadonlySet<string>
  readonly isWhole: boolean
}

/** Judges that the pages of a list have all of its payments. Processors choose the size and the period of a page. */
export class ListWalks {
  readonly #walks = new Map<string, Walk>()

  missing({
    ledger,
    accounts,
    listsAfterMs,
    requestedAt: askedAt,
    args,
    answer,
    failure,
  }: SeenWord): ReadonlyArray<string> {
    if (failure !== undefined) return []
    const [issuer, search, cursor] = args as readonly [Cnpj, PaymentSearch, string?]
    const { items, cursor: next, unreadable = 0 } = answer as PaymentPage
    const name = `${issuer} ${JSON.stringify(search)}`
    const none: Walk = { since: askedAt, listed: new Set(), isWhole: true }
    const before = cursor === undefined ? none : this.#walks.get(`${name} ${cursor}`)
    if (before === undefined) return []
    const listed = new Set([...before.listed, ...items.map(({ endToEndId }) => endToEndId)])
    const isWhole = before.isWhole && unreadable === 0
    if (next !== undefined) this.#walks.set(`${name} ${next}`, { since: before.since, listed, isWhole })
    if (next !== undefined || !isWhole) return []
    const { from, until, isReturned } = search
    const isRequested = ({ issuer: of, paidAt, returns }: LedgerPayment): boolean =>
      of === accounts.holder(issuer) &&
      paidAt >= from &&
      paidAt < Math.min(until, before.since - listsAfterMs - unlistedMs) &&
      (isReturned !== true || returns.some(({ status, changedAt }) => status !== "making" && changedAt < before.since))
    return [...ledger.payments.values()]
      .filter((payment) => isRequested(payment) && !listed.has(payment.endToEndId))
      .map(({ endToEndId }) => `${shortName(endToEndId)} is missing from the pages of its list`)
  }
}
