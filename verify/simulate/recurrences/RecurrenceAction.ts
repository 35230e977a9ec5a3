/** Actions of clients, payers and operators; `recurrence` counts from 1. */
export type RecurrenceAction =
  | {
      readonly do:
        | "offer"
        | "end"
        | "skip"
        | "retry"
        | "cancel"
        | "refund"
        // The payer's own.
        | "approve"
        | "decline"
        | "payerEnds"
        | "payerCancels"
        | "impoverish"
        | "enrich"
      readonly recurrence: number
    }
  | { readonly do: "charge"; readonly recurrence: number; readonly amountCents: number }
  | { readonly do: "kill"; readonly host: number }
  | { readonly do: "outage"; readonly ms: number }
  | { readonly do: "setBack"; readonly ms: number }

export interface RecurrenceStep {
  readonly atMs: number
  readonly action: RecurrenceAction
}
