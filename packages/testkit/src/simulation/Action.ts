/** What somebody does: a client, a payer, the bank's staff, or who runs the processes. Charges and payments by number. */
export type Action =
  /** A client asks for a charge: a new one, the same again, or one of another amount under the same id. */
  | {
      readonly do: "issue"
      readonly charge: number
      readonly amountCents: number
      readonly dueInDays?: number
    }
  | { readonly do: "status" | "refund" | "cancel" | "replay"; readonly charge: number }
  /** A client asks for a part of the charge's payment back: mostly so many cents as at first under this key. */
  | { readonly do: "refundPart"; readonly charge: number; readonly key: string; readonly amountCents: number }
  | { readonly do: "pay"; readonly charge: number; readonly amountCents?: number }
  /** A payer pays to the key, naming a charge that may not be known yet, or nothing. */
  | {
      readonly do: "payKey"
      readonly company: number
      readonly amountCents: number
      readonly charge?: number
      /** So long ago: the bank tells of it late. */
      readonly agoMs?: number
      /** To the other company's key. */
      readonly isAstray?: true
    }
  /** Money goes back at the bank without a refund of ours. */
  | { readonly do: "returnOutside"; readonly payment: number; readonly isWhole: boolean; readonly isDispute: boolean }
  /** The payer's account takes nothing back for a while. */
  | { readonly do: "block"; readonly payment: number; readonly ms: number }
  /** Somebody compares a company's books with the bank's list, and has what is missing recorded or not. */
  | { readonly do: "compare" | "reconcile"; readonly company: number }
  | { readonly do: "refundException" | "resolveException"; readonly payment: number }
  /** The process dies, or ends in order; another starts in its place. */
  | { readonly do: "kill" | "stop" }
  /** The process stops where it is, and goes on later: a machine that sleeps, a long collection of garbage. */
  | { readonly do: "suspend"; readonly ms: number }
  /** The database loses what it was told of last, and all processes start anew. */
  | { readonly do: "setBack"; readonly ms: number }
  | { readonly do: "receiverDown"; readonly endpoint: number; readonly ms: number }

/** An action, how long after the one before, and on which process. */
export interface Step {
  readonly afterMs: number
  readonly host: number
  readonly action: Action
}
