/** Who ended a recurrence, or cancelled a cycle's charge. */
export type EndedBy = "payer" | "payerBank" | "company" | "companyBank"

/** Why a recurrence is over. */
export interface RecurrenceEnd {
  /** The payer declined, time ran out, the bank refused the offer, or it was ended. */
  readonly reason: "declined" | "expired" | "refused" | "ended"
  /** Absent where the bank doesn't say so. */
  readonly by?: EndedBy
  /** The bank's code, as it is. New ones come without notice. */
  readonly code?: string
  /** Epoch milliseconds. */
  readonly at: number
}
