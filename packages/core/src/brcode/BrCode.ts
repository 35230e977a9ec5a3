import type { Cents } from "../money/Money.ts"

/** What every BR Code says of its receiver. The payer's app shows the name that the key's registry (DICT) holds instead. */
export interface BrCodeMerchant {
  /** Field 59, 1 to 25 characters, neither the first nor the last a blank. Accents are dropped in writing. */
  readonly merchantName: string
  /** Field 60, 1 to 15 characters, neither the first nor the last a blank. Accents are dropped in writing. */
  readonly merchantCity: string
  /** Field 61, the CEP, 1 to 99 characters. */
  readonly postalCode?: string
  /** Field 52, four digits; if absent, `0000` (not informed) is written. */
  readonly merchantCategoryCode?: string
  /**
   * Field 01: 11 is reusable, 12 should be paid once. It is advice and nothing more: it neither distinguishes static from dynamic
   * nor stops a second payment (Manual de Padrões para Iniciação do Pix 2.10.0, §2.5).
   */
  readonly pointOfInitiation?: "reusable" | "singleUse"
}

/** A code that pays a Pix key (chave) directly. Anyone can write one and it never expires (Manual §2.6). */
export interface StaticBrCode extends BrCodeMerchant {
  readonly _tag: "Static"
  /** Field 26.01, as the DICT has it: CPF, CNPJ, phone with `+` and country, e-mail or random key (EVP). */
  readonly key: string
  /** Field 26.02, infoAdicional: what template 26 has room for, 72 characters at most. */
  readonly description?: string
  /** Field 26.03, fss: the ISPB of the institution that hands out cash (Pix Saque), 8 digits or capitals. */
  readonly facilitator?: string
  /** Field 54, in centavos; absent lets the payer type it. 0 is written with a facilitator only. */
  readonly amountCents?: Cents
  /** Field 62.05, 1 to 25 letters and digits; absent is written `***`. */
  readonly txid?: string
  /** Field 80.25: where the Pix Automático offer lies, without a scheme (Manual §2.8). */
  readonly recurrenceUrl?: string
}

/**
 * A code that points to a charge at a payment institution, which holds amount, dates and txid (Manual §2.7).
 * Its URL comes from that institution; nobody else can make one up.
 */
export interface DynamicBrCode extends BrCodeMerchant {
  readonly _tag: "Dynamic"
  /** Field 26.25: host and path without a scheme, 77 characters at most. */
  readonly url: string
  /** Field 80.25: where the Pix Automático offer lies, on the same host (Manual §2.8.3). */
  readonly recurrenceUrl?: string
}

/** A code that only offers a Pix Automático authorisation and asks for no payment (Manual §2.8, journey 2). */
export interface RecurrenceBrCode extends BrCodeMerchant {
  readonly _tag: "Recurrence"
  /** Field 80.25: host and path without a scheme, 77 characters at most. */
  readonly recurrenceUrl: string
}

/** A BR Code of the Pix: static, dynamic or recurrence, the first two also with a recurrence beside them. */
export type BrCode = StaticBrCode | DynamicBrCode | RecurrenceBrCode
