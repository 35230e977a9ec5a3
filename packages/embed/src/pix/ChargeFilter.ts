import type { Period } from "@pixcharge/core"
import type { ChargeStatus } from "@pixcharge/core/charges"

/** Which charges to list: those created within the period, and of these only what the other fields say. */
export interface ChargeFilter extends Period {
  readonly status?: ChargeStatus | undefined
  /** Those whose amount lies between both, which are included; without an end that end is open. Cents. */
  readonly amount?: { readonly minCents?: number | undefined; readonly maxCents?: number | undefined } | undefined
  /** Those due on a day between both (`YYYY-MM-DD`), which are included; none that is due on no day. */
  readonly due?: { readonly from: string; readonly until: string } | undefined
  /** Those settled by a payment that was made within this period. */
  readonly paid?: Period | undefined
  /**
   * 2 to 200 characters: the beginning of a word of the payer's name, in any case and with or without accents, and then of further
   * words of it (`maria sant` and `santos` find Maria José dos Santos); the payer's whole document, masked or not; the charge's
   * amount, or that of a payment made within the period, as `1.234,56`; or, from 8 characters on, the beginning of the charge's id, txid or transaction id, or of a payment's endToEndId.
   */
  readonly text?: string | undefined
}
