import type { Period, RefundOrder } from "@pixcharge/core"
import type { RefundOutcome } from "@pixcharge/core/charges"
import type { SeenWord } from "./processorRules.ts"
import { reportIf } from "./rules.ts"

/** The refunds that processors reported as refused. An earlier call for such a refund must not arrive later. */
export class Refusals {
  /** The times of the request and the answer, by process and refund. */
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
