import type { Period, RefundOrder } from "@pixcharge/core"
import type { RefundOutcome } from "@pixcharge/core/charges"
import type { SeenWord } from "./processorRules.ts"
import { reportIf } from "./rules.ts"

/** Refunds that processors reported as refused. No earlier call for them can arrive later. */
export class Refusals {
  /** The request and answer moments, by process and refund. */
  readonly #refused = new Map<string, Period>()

  readonly recordAnswer = ({
    ledger,
    caller,
    method,
    args,
    answer,
    isAlone,
    requestedAt: askedAt,
    now,
  }: SeenWord): void => {
    if (method !== "refund" || !isAlone || (answer as RefundOutcome | undefined)?._tag !== "Rejected") return
    const { endToEndId, refundId } = args[0] as RefundOrder
    const isOnRecord = ledger.payments.get(endToEndId)?.returns.some(({ id }) => id === refundId) === true
    if (!isOnRecord) this.#refused.set(`${caller} ${refundId}`, { from: askedAt, until: now })
  }

  readonly judgeArrival = (caller: string, id: string, sentAt: number): ReadonlyArray<string> => {
    const refused = this.#refused.get(`${caller} ${id}`)
    return reportIf(
      refused !== undefined && sentAt >= refused.from && sentAt <= refused.until,
      `${id} was reported as refused by ${caller}, but its call arrives only now`,
    )
  }
}
