import type { RecurrenceSnapshot } from "../recurrence/RecurrenceSnapshot.ts"

/** The statuses on the wire. */
const statusNames = {
  preparing: "preparando",
  offered: "oferecida",
  approved: "autorizada",
  ended: "encerrada",
} as const satisfies Readonly<Record<RecurrenceSnapshot["status"], string>>

/** The body of `/estado` of a recurrence, besides `id` and `agora`. */
export interface RecurrenceFacts {
  readonly status: (typeof statusNames)[RecurrenceSnapshot["status"]]
  /** Whether nothing that the payer waits for can change any more. */
  readonly final: boolean
  /** The copy-and-paste code, while there is something to do with it. */
  readonly brCode?: string
}

/** Writes a snapshot for open pages, which load themselves again once its id is another. */
export const recurrenceFacts = ({ status, isFinal, brCode }: RecurrenceSnapshot): RecurrenceFacts => ({
  status: statusNames[status],
  final: isFinal,
  ...(brCode !== undefined && { brCode }),
})
