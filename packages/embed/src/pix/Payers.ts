import type { Payer } from "@pixcharge/core/party"
import type { PlainCharge } from "../plain.ts"
import type { PlainRecurrence } from "../plainRecurrence.ts"

/** A payer's rights over their data, by CPF or CNPJ; and who sees it. */
export interface Payers {
  /**
   * The payer of one charge; undefined if it names none, or the payer was erased. Pages that show charges to people mask the payer,
   * and call this in the name of who asks for it: the audit log records it. Rejects with `ChargeNotFound`.
   */
  readonly show: (issuer: string, id: string) => Promise<Payer | undefined>
  /** All that the company keeps of the payer. */
  readonly export: (
    issuer: string,
    taxId: string,
  ) => Promise<{
    readonly charges: ReadonlyArray<PlainCharge>
    /** With the option `recurrences` only. */
    readonly recurrences: ReadonlyArray<PlainRecurrence>
  }>
  /**
   * Forgets name and document on every recurrence and charge, with a charge's `messageToPayer` and `additionalInfo`, which may name the
   * payer; money facts stay. Returns how many recurrences and charges. Rejects with `PayerHasRecurrence`, and erases nothing, while one of
   * the payer's isn't over.
   */
  readonly erase: (issuer: string, taxId: string) => Promise<number>
}
