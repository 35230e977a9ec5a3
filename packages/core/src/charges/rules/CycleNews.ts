import type { LocalDate } from "../../calendar/LocalDate.ts"
import type { DebitNews } from "../../recurrence/cycles/decideDebit.ts"
import type { EndedBy } from "../../recurrence/cycles/RecurrenceEnd.ts"

/** What is published of a cycle's charge. */
export type CycleNews =
  | DebitNews
  | {
      readonly kind: "payment-failed"
      readonly reason: "cancelled"
      readonly on: LocalDate
      readonly by?: EndedBy
      readonly code?: string
    }
