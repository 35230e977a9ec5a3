import type { Period } from "@pixcharge/core"
import type { ChargeStatus } from "@pixcharge/core/charges"

/** Which charges to list: those created within the period, and of these only what the other fields say. */
export interface ChargeFilter extends Period {
  readonly status?: ChargeStatus | undefined
  /**
   * 2 to 200 characters: the beginning of the payer's name, in any case and with or without accents, and then of further words of
   * it (`maria sant` finds Maria José dos Santos); the payer's whole document, masked or not; the amount of a payment made within
   * the period, as `1.234,56`; or, from 8 characters on, the beginning of the charge's id, txid or transaction id, or of a payment's endToEndId.
   */
  readonly text?: string | undefined
}
