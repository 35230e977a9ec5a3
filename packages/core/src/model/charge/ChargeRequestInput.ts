import type { FieldsOf } from "../../runtime/options.ts"
import type { PayerAddress } from "./ChargePayer.ts"
import type { ChargeFeesInput } from "./RequestedTerms.ts"

/** A line that the payer's bank shows as `name: value`. */
export interface AdditionalInfo {
  readonly name: string
  readonly value: string
}

/** The person or company asked to pay, in plain values. */
export interface ChargePayerInput {
  readonly name: string
  /** CPF or CNPJ, with or without punctuation. */
  readonly taxId: string
  /** Only with a due date: at most 254 characters. */
  readonly email?: string | undefined
  /** Only with a due date. */
  readonly address?: PayerAddress | undefined
}

/** A host's request, in plain values. */
export interface ChargeRequestInput {
  /** A UUID that the caller makes. Later calls name the charge by it. */
  readonly id: string
  /** Integer cents of reais, 1 to 999 999 999 999. */
  readonly amountCents: number
  /** `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm:ss`, read in Brasília; absent for an immediate charge. */
  readonly dueDate?: string | undefined
  /** Absent: the charge goes to a generic payer. */
  readonly payer?: ChargePayerInput | undefined
  /** How many seconds an immediate charge is payable: 60 to 2 592 000 (30 days), by default 600. */
  readonly payableForSeconds?: number | undefined
  /** A text that the payer's bank shows: 1 to 140 characters of ISO 8859-1. */
  readonly messageToPayer?: string | undefined
  /** Up to 50 lines that the payer's bank shows: names of 1 to 50 characters, values of 1 to 200, of ISO 8859-1. */
  readonly additionalInfo?: ReadonlyArray<AdditionalInfo> | undefined
  /** Only with a due date. An absent part is the registration's; `"none"` waives the part, or all parts. */
  readonly fees?: ChargeFeesInput | "none" | undefined
  /** Days payable after the moved due date: 1 to 3 650. By default the registration's. */
  readonly graceDays?: number | undefined
  /** Your name for the charge, such as an order number: 1 to 100 characters. Not sent to banks and payers. */
  readonly reference?: string | undefined
  /** Up to 20 texts of yours: names of 1 to 40 characters, values of up to 500. Not sent to banks and payers. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

const share = { kind: true, amountCents: true, basisPoints: true } as const

export const payerFields = { name: true, taxId: true } as const

export const chargeRequestFields: FieldsOf<ChargeRequestInput> = {
  id: true,
  amountCents: true,
  dueDate: true,
  payer: {
    ...payerFields,
    email: true,
    address: { street: true, city: true, state: true, postalCode: true } satisfies FieldsOf<PayerAddress>,
  } satisfies FieldsOf<ChargePayerInput>,
  payableForSeconds: true,
  messageToPayer: true,
  additionalInfo: { name: true, value: true } satisfies FieldsOf<AdditionalInfo>,
  fees: {
    fine: share,
    interest: { ...share, days: true },
    abatement: share,
    discount: { ...share, days: true, tiers: { ...share, daysBefore: true, date: true } },
  } satisfies FieldsOf<ChargeFeesInput>,
  graceDays: true,
  reference: true,
  metadata: true,
}
