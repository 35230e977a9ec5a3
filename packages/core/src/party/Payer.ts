import type { TaxId } from "./TaxId.ts"

/** Who is asked to pay (`cliente`): kept with the charge, never in events or logs (decision 25). */
export interface Payer {
  readonly name: string
  readonly taxId: TaxId
}
