import type { CompanyDirectory } from "../../ports/CompanyDirectory.ts"
import type { DueChecks } from "../../ports/DueChecks.ts"
import type { ExceptionStore } from "../../ports/ExceptionStore.ts"
import type { PaymentProcessor } from "../../ports/PaymentProcessor.ts"
import type { PixCharges } from "../PixCharges.ts"

/** What the checks and comparisons of the `Reconciler` need. */
export interface ReconcilerPorts {
  readonly dueChecks: DueChecks["Service"]
  readonly exceptions: ExceptionStore["Service"]
  readonly processor: PaymentProcessor["Service"]
  readonly directory: CompanyDirectory["Service"]
  readonly charges: PixCharges["Service"]
}
