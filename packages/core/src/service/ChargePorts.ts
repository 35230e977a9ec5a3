import type { CallbackEndpoints } from "../ports/CallbackEndpoints.ts"
import type { ChargeLists } from "../ports/ChargeLists.ts"
import type { ChargeStore } from "../ports/ChargeStore.ts"
import type { CompanyDirectory } from "../ports/CompanyDirectory.ts"
import type { DueChecks } from "../ports/DueChecks.ts"
import type { ExceptionStore } from "../ports/ExceptionStore.ts"
import type { HolidayCalendar } from "../ports/HolidayCalendar.ts"
import type { PaymentProcessor } from "../ports/PaymentProcessor.ts"
import type { TransactionIds } from "../ports/TransactionIds.ts"
import type { OutboxSignal } from "./OutboxSignal.ts"

/** The ports behind the operations of `PixCharges`. */
export interface ChargePorts {
  readonly store: ChargeStore["Service"]
  readonly lists: ChargeLists["Service"]
  readonly exceptions: ExceptionStore["Service"]
  readonly checks: DueChecks["Service"]
  readonly directory: CompanyDirectory["Service"]
  readonly endpoints: CallbackEndpoints["Service"]
  readonly signal: OutboxSignal["Service"]
  readonly processor: PaymentProcessor["Service"]
  readonly calendar: (typeof HolidayCalendar)["Service"]
  readonly transactionIds: (typeof TransactionIds)["Service"]
}
