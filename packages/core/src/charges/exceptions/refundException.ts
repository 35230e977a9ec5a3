import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Payment, Return, PaymentException } from "../index.ts"
import { isSamePaymentId } from "../rules/Payment.ts"
import { requestRefund } from "../rules/RefundCommand.ts"
import { ExceptionRefundRejected } from "../rules/paymentErrors.ts"
import { ProcessorUnavailable } from "../../ports/portErrors.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { PaymentProcessor } from "../../ports/PaymentProcessor.ts"
import type { ExceptionMoveError, ExceptionMoves } from "./ExceptionMoves.ts"
import { makePursueRefund } from "../refunds/pursueRefund.ts"
import { spellReceived } from "../payments/spellings.ts"

/** A processor may keep whole seconds. */
const marginMs = 1_000
/** No company receives this many payments in two seconds; a processor that ignores the cursor must not be called for ever. */
const maxPages = 100

/** What the processor says went back for one payment, from its list of the payments of that moment; undefined if that has it not. */
const findReturns = Effect.fnUntraced(function* (
  processor: PaymentProcessor["Service"],
  { issuer, endToEndId, paidAt }: Pick<Payment, "issuer" | "endToEndId" | "paidAt">,
): Effect.fn.Return<ReadonlyArray<Return> | undefined, ProcessorUnavailable> {
  const moment = { from: paidAt - marginMs, until: paidAt + marginMs }
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { items, cursor: next } = yield* processor.payments(issuer, moment, cursor)
    const found = items.find((payment) => isSamePaymentId(payment.endToEndId, endToEndId))
    if (found !== undefined) return spellReceived(found, endToEndId).returns
    if (next === undefined) return undefined
    cursor = next
  }
  return yield* new ProcessorUnavailable({ operation: "payments", cause: `a list of more than ${maxPages} pages` })
})

/** Refunds of payments that settled no charge. */
export const makeRefundException = (moves: ExceptionMoves, processor: PaymentProcessor["Service"]) => {
  const pursue = makePursueRefund<PaymentException, ExceptionMoveError>(processor, {
    underWay: ({ payment, state }) =>
      state._tag === "Refunding" ? { payment, amountCents: payment.amountCents, refund: state.refund } : undefined,
    move: ({ payment: { issuer, endToEndId } }, command) => moves.move(issuer, endToEndId, command),
    mayBeForgotten: false,
    lookUpPayment: Effect.fnUntraced(function* ({ payment }) {
      const { issuer, endToEndId } = payment
      const returns = yield* findReturns(processor, payment)
      for (const returned of returns ?? []) {
        yield* moves.apply(issuer, endToEndId, { _tag: "RecordReturn", returned })
      }
      return { state: yield* moves.load(issuer, endToEndId), isShown: returns !== undefined }
    }),
  })

  const refund = Effect.fnUntraced(function* (issuer: Cnpj, endToEndId: string, given?: string) {
    const after = yield* pursue.begin(yield* moves.move(issuer, endToEndId, requestRefund(given)))
    if (after.state._tag !== "Open") return after
    const reason = after.state.failedRefund?.rejection ?? ""
    return yield* new ExceptionRefundRejected({ issuer, endToEndId, reason: Redacted.make(reason) })
  })

  return { refund, resume: pursue.resume }
}
