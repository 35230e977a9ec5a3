import type { DeliveryRecord } from "@pixcharge/core"
import type { Charge, IssuedCharge, Payment, PaymentException, Return } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import type { Ledger } from "@pixcharge/simulated-bank"
import type { Accounts } from "./Accounts.ts"
import type { Deliveries } from "./Deliveries.ts"
import type { JudgedEndpoint } from "./eventRules.ts"
import type { Receipt } from "./Evidence.ts"
import type { Expiries } from "./Expiries.ts"
import type { LearntFailure } from "./RefundCalls.ts"
import type { Terms } from "./Terms.ts"

export interface SeenCompany {
  readonly issuer: Cnpj
  readonly ledger: Ledger
  readonly accounts: Accounts
  readonly now: number
  readonly charges: ReadonlyArray<Charge>
  readonly payments: ReadonlyArray<Payment>
  readonly returns: ReadonlyArray<Return>
  readonly exceptions: ReadonlyArray<PaymentException>
  readonly deliveries: ReadonlyArray<DeliveryRecord>
  readonly endpoints: ReadonlyArray<JudgedEndpoint>
  readonly expiries: Expiries
  readonly deliveriesMade: Pick<Deliveries, "givenUp" | "findWrongRecords">
  readonly terms: Terms
  readonly receipts: ReadonlyArray<Receipt>
  /** The refund requests that clients repeated: a txid, a txid with a part's key, or a company with an endToEndId. */
  readonly repeatedRequests: ReadonlySet<string>
  readonly learntFailures: ReadonlyArray<LearntFailure>
  /** When the store was last set back, in epoch milliseconds. The store can have lost events from before. */
  readonly setBackAt: number
  /**
   * The issued charges, once the operator has finished the last restore. The books must then have the paid ones.
   */
  readonly restored: ReadonlyArray<IssuedCharge>
}
