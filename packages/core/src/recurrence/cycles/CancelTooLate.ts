import type { Cnpj } from "../../party/Cnpj.ts"
import { TaggedError } from "../../runtime/error/TaggedError.ts"

/**
 * A cycle's charge can't be cancelled any more: its debit is due tomorrow or today, and may be carried out.
 *
 * @repeat Yes, after the day's attempts: from 21:00 in Brasília.
 */
export class CancelTooLate extends TaggedError("CancelTooLate", {
  problem: ({ chargeId }: { readonly issuer: Cnpj; readonly chargeId: string }) =>
    `The charge ${chargeId} can't be cancelled: that is possible until 22:00 in Brasília of the day before its debit.`,
  remedy: "Wait for the day's result. Refund the payment if it comes.",
}) {}
