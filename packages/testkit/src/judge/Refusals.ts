import type { Period, RefundOrder } from "@pixcharge/core"
import type { RefundOutcome } from "@pixcharge/core/charges"
import type { SeenWord } from "./processorRules.ts"
import { reportIf } from "./rules.ts"

/** The refunds that processors have said to be refused: a call for one that was under way then is on its way no more. */
export class Refusals {
  /** By process and refund: when it was asked for, and when that was answered. */
  readonly #told = new Map<string, Period>()

  /** A processor has answered. */
  readonly recordAnswer = ({ ledger, caller, method, args, answer, isAlone, askedAt, now }: SeenWord): void => {
    if (method !== "refund" || !isAlone || (answer as RefundOutcome | undefined)?._tag !== "Rejected") return
    const { endToEndId, refundId } = args[0] as RefundOrder
    const isOnRecord = ledger.payments.get(endToEndId)?.returns.some(({ id }) => id === refundId) === true
    if (!isOnRecord) this.#told.set(`${caller} ${refundId}`, { from: askedAt, until: now })
  }

  /** What is wrong with a call of a process for a return that arrives at the bank only now. */
  readonly judgeArrival = (caller: string, id: string, sentAt: number): ReadonlyArray<string> => {
    const told = this.#told.get(`${caller} ${id}`)
    return reportIf(
      told !== undefined && sentAt >= told.from && sentAt <= told.until,
      `${id} was said to be refused by ${caller}, whose call for it arrives only now`,
    )
  }
}
