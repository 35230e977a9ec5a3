import type { EndedBy } from "../cycles/RecurrenceEnd.ts"

/** What a bank shows of a recurrence. */
export interface RecurrenceView {
  readonly bankId: string
  /** `unknown`: a status that has no meaning here. It changes nothing. */
  readonly status: "offered" | "approved" | "declined" | "expired" | "cancelled" | "unknown"
  /** When the bank gave it this status, where that is shown. Epoch milliseconds. */
  readonly at?: number
  readonly by?: EndedBy
  readonly code?: string
  /** The code that authorises it, while it can be. */
  readonly brCode?: string
}
