import type { Cnpj } from "@pixcharge/core/party"

/** An action of a client, a payer, the bank or an operator. `charge` and `payment` are numbers in the plan. */
export type Action =
  /** Requests a charge: a new one, a repeat, or another amount under the same id. */
  | {
      readonly do: "issue"
      readonly charge: number
      readonly amountCents: number
      readonly dueInDays?: number
    }
  /** Requests charges `from` to `to` of one company together (`issueMany`). */
  | { readonly do: "issueMany"; readonly from: number; readonly to: number }
  | { readonly do: "status" | "refund" | "cancel" | "replay"; readonly charge: number }
  /** Refunds a part, usually with the same cents as the first request under this key. */
  | { readonly do: "refundPart"; readonly charge: number; readonly key: string; readonly amountCents: number }
  /** Changes a charge. Its fields follow from the variant. */
  | { readonly do: "change"; readonly charge: number; readonly key: string; readonly variant: number }
  /** Somebody changes a charge's amount in the bank's own portal. */
  | { readonly do: "changeAtBank"; readonly charge: number; readonly amountCents: number }
  /** `revisionsAgo`: the payer's app read the charge before its last changes. */
  | {
      readonly do: "pay"
      readonly charge: number
      readonly amountCents?: number
      readonly revisionsAgo?: number
    }
  /** A payer pays to the company's key. The payment can name a charge, even before it is issued. */
  | {
      readonly do: "payKey"
      readonly company: number
      readonly amountCents: number
      readonly charge?: number
      /** Milliseconds since the payment, which the bank reports late. */
      readonly agoMs?: number
      readonly isAstray?: true
    }
  /** The bank returns money without our refund. */
  | { readonly do: "returnOutside"; readonly payment: number; readonly isWhole: boolean; readonly isDispute: boolean }
  /** The bank removes a charge by itself. */
  | { readonly do: "remove"; readonly charge: number }
  /** The payer's account accepts no returns for a while. */
  | { readonly do: "block"; readonly payment: number; readonly ms: number }
  /** The bank takes returns of the payment for a while, and rejects each of them later. */
  | { readonly do: "reject"; readonly payment: number; readonly ms: number }
  /** Compares a company's books with the bank's list; `reconcile` records missing payments. */
  | { readonly do: "compare" | "reconcile"; readonly company: number }
  /** A company decides on an exception. By default `issuer` is a company that can own the payment. */
  | { readonly do: "refundException" | "resolveException"; readonly payment: number; readonly issuer?: Cnpj }
  | { readonly do: "kill" | "stop" }
  | { readonly do: "suspend"; readonly ms: number }
  | { readonly do: "setBack"; readonly ms: number }
  /** Two companies that share an account register each other's key. */
  | { readonly do: "swapKeys"; readonly company: number; readonly other: number }
  /** A company registers other fees and days of grace. */
  | { readonly do: "registerFees"; readonly company: number; readonly revision: number }
  /** Without a status a receiver doesn't answer at all. */
  | { readonly do: "receiverDown"; readonly endpoint: number; readonly ms: number; readonly status?: 410 | 429 }
  /** An operator pauses or resumes an endpoint for all of its companies. */
  | { readonly do: "pause" | "resume"; readonly endpoint: number }
  /** Replays a company's dead letters. */
  | { readonly do: "replayDead"; readonly company: number }
  /** A process's clock is corrected, ahead or back. Its place in the range of all clocks is from 0 to 1. */
  | { readonly do: "shiftClock"; readonly place: number }

export interface Step {
  readonly afterMs: number
  readonly host: number
  readonly action: Action
}
