import type { KeptDays } from "../calendar/BusinessDay.ts"
import type { ChargeCycle } from "../cycle/Debit.ts"
import type { Fees } from "../money/Fees.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Txid } from "./ChargeId.ts"
import type { ContractTerms, HostTerms } from "./ChargeRequest.ts"

/** The terms in force. Only a change replaces them, and only an erasure removes the payer. Instants are epoch milliseconds. */
export interface ChargeTerms extends ContractTerms, HostTerms {
  readonly issuer: Cnpj
  readonly txid: Txid
  /** Our UUID (`data.transacaoId`). */
  readonly transactionId: string
  readonly payerErasedAt?: number
  /** The fees at issue. Absent without a due date. */
  readonly fees?: Fees
  /** Absent without a due date. */
  readonly closedDays?: KeptDays
  /** The copy-and-paste code (`data.retUrl`). Absent for a cycle's charge. */
  readonly brCode?: string
  /** Only for a cycle's charge. */
  readonly cycle?: ChargeCycle
  readonly createdAt: number
  /** The end of the promised time to pay (`data.expira`, decision 10). */
  readonly payableUntil: number
  /** The end of the watch for a late payment (decision 10). */
  readonly watchUntil: number
}
