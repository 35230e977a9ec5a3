import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { LocalDate } from "../model/calendar/LocalDate.ts"
import type { ChargeConflict } from "../model/charge/chargeErrors.ts"
import type {
  AdditionalInfo,
  Charge,
  ChargeId,
  PaymentNotice,
  RefundOutcome,
  Return,
  Txid,
} from "../model/charge/index.ts"
import type { Cents } from "../model/money/Money.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { Company, Payer } from "../model/party/Company.ts"
import type { Exchange, Reply } from "../runtime/exchange.ts"
import type { Page, Period } from "../runtime/page.ts"
import type { ProcessorRejected, ProcessorUnavailable } from "./portErrors.ts"

// Every JavaScript runtime that this library runs in has it; the project's types name no platform.
declare const crypto: { readonly randomUUID: () => string }

/** Makes the UUID by which a transaction is known (`data.transacaoId`); random by default; a test gives its own. */
export const TransactionIds = Context.Reference<{ readonly next: () => string }>(
  "@pixcharge/core/ports/TransactionIds",
  { defaultValue: () => ({ next: () => crypto.randomUUID() }) },
)

/** A charge to be made known to the processor. */
export interface ChargeOrder {
  readonly company: Company
  readonly id: ChargeId
  readonly txid: Txid
  readonly amountCents: Cents
  /** The original due date: the processor moves it by itself. */
  readonly dueDate?: LocalDate
  /** The request's payer, or the company's generic one. */
  readonly payer?: Payer
  /** For how many seconds from its creation a charge without a due date is payable; absent: 600. */
  readonly payableForSeconds?: number
  /** To be shown to the payer, where the processor shows such texts. */
  readonly messageToPayer?: string
  readonly additionalInfo?: ReadonlyArray<AdditionalInfo>
  /** Now. Epoch milliseconds. */
  readonly requestedAt: number
  /** Until when a charge that is created now is promised to be payable. Epoch milliseconds. */
  readonly payableUntil: number
  /**
   * The charge is stored with these terms. What the processor holds under the txid with other terms, from a call that lost
   * the race for the id, is changed back to them instead of being a conflict; `ProcessorRejected` where that is refused.
   */
  readonly isStored?: true
}

/** What the processor made of an order. */
export interface RegisteredCharge {
  readonly txid: Txid
  readonly brCode: string
  /** The processor's creation instant, also when the charge was taken over from an earlier call. Epoch milliseconds. */
  readonly createdAt: number
  /** The PIX key that it pays, where the processor shows it. */
  readonly pixKey?: string
}

/** A payment as the processor shows it. */
export interface ShownNotice extends PaymentNotice {
  /** The PIX key that received it, where the processor says so. */
  readonly pixKey?: string
}

/** What the processor knows of a charge. */
export interface ProcessorView {
  readonly status: "active" | "completed" | "removed" | "unknown"
  /** The processor has a charge under the txid that can't be this one: nothing of it is shown. */
  readonly isOfAnother?: true
  /** The PIX key that the charge pays, where the processor shows it. */
  readonly pixKey?: string
  /** What the processor asks the payer for, where it says so. */
  readonly terms?: {
    readonly amountCents: Cents
    readonly dueDate?: LocalDate
    /** Of a charge without a due date, where the processor says so. */
    readonly payableForSeconds?: number
  }
  readonly payments: ReadonlyArray<ShownNotice>
  /** Settled returns of those payments. */
  readonly returns: ReadonlyArray<Return>
}

/** A payment as the processor lists it, with all that went back for it. */
export interface ReceivedPayment extends ShownNotice {
  /** The host says by the payment's txid that it is another system's: without a charge of ours it is left out of the books. */
  readonly isForeign?: boolean
  /** Settled returns of the payment: our refunds, the bank's own, those made in its portal. */
  readonly returns: ReadonlyArray<Return>
  /** Refunds of ours that the processor has on record as not carried out. */
  readonly rejections?: ReadonlyArray<RefundRejection>
}

/** A refund that the processor did not carry out, by its id and with the processor's words. */
export interface RefundRejection {
  readonly refundId: string
  readonly reason: string
}

/** One page of the payments that a processor lists. */
export interface PaymentPage extends Page<ReceivedPayment> {
  /**
   * How much of the page can't be read: payments that are not among its items, and returns that are not among theirs. While
   * there are any, the period doesn't count as compared. Default: 0.
   */
  readonly unreadable?: number
}

/** Which payments to list: those made within the period. */
export interface PaymentSearch extends Period {
  /** Only those of which something went back. A processor that can't filter them may list all. */
  readonly isReturned?: true
}

/** How a cancellation ended. */
export type CancelOutcome = { readonly _tag: "Cancelled" } | { readonly _tag: "Paid"; readonly view: ProcessorView }

/** Money to be given back to a payer. */
export interface RefundOrder {
  readonly issuer: Cnpj
  readonly endToEndId: string
  readonly amountCents: Cents
  /** Asking again with the same id returns the money once. */
  readonly refundId: string
  /** For the payer, if the processor can take a text: 1 to 140 characters of ISO 8859-1. The same with each call for the id. */
  readonly reason?: string
}

/**
 * Who moves the money: a bank or payment institution behind its API, or the sandbox. `PixCharges`, `PaymentExceptions` and the
 * `Reconciler` use it; `processor-api-pix` and `processor-sandbox` provide it. Every write may be repeated. Every method fails
 * with `ProcessorUnavailable` when no usable answer comes; a write may then have been carried out or not.
 */
export class PaymentProcessor extends Context.Service<
  PaymentProcessor,
  {
    /** `local` answers at once and forgets nothing that matters, so that issuing costs one write and no look-up before. */
    readonly locality: "local" | "remote"
    /**
     * Makes the charge known; idempotent by txid. Fails with `ChargeConflict` when the txid has a charge of another meaning,
     * and with `ProcessorRejected` when the processor refuses.
     */
    readonly register: (
      order: ChargeOrder,
    ) => Effect.Effect<RegisteredCharge, ProcessorUnavailable | ProcessorRejected | ChargeConflict>
    /** What the processor knows of the charge: its status, its payments, and what went back of them. */
    readonly lookup: (charge: Charge) => Effect.Effect<ProcessorView, ProcessorUnavailable>
    /**
     * Takes the charge away from payers; a charge already gone is cancelled, a paid one is `Paid`. Fails with
     * `ProcessorRejected` when the processor refuses.
     */
    readonly cancel: (charge: Charge) => Effect.Effect<CancelOutcome, ProcessorUnavailable | ProcessorRejected>
    /**
     * Returns the money, once by the refund's id; a refusal is an outcome, not a failure. An id that returned money before is
     * answered with that return, and its cents where they are others.
     */
    readonly refund: (order: RefundOrder) => Effect.Effect<RefundOutcome, ProcessorUnavailable>
    /** What became of a refund; undefined when the processor never heard of it. */
    readonly lookupRefund: (order: RefundOrder) => Effect.Effect<RefundOutcome | undefined, ProcessorUnavailable>
    /** The payments that the company received, oldest first, each with its returns; `cursor` is where a page ended. */
    readonly payments: (
      issuer: Cnpj,
      search: PaymentSearch,
      cursor?: string,
    ) => Effect.Effect<PaymentPage, ProcessorUnavailable>
  }
>()("@pixcharge/core/ports/PaymentProcessor") {}

/**
 * Answers what a processor calls us with: payments that it says were made (decision 37). `respond` uses it; `processor-api-pix`
 * provides it.
 */
export class PaymentNotices extends Context.Service<
  PaymentNotices,
  {
    /**
     * Answers a call, of any method, to the route's path or below it. `below` is the part of the path that is below the
     * route's, without doubled slashes and a last one: `""`, `/pix`, `/12345678000195/pix`. It answers 2xx only once every
     * payment in it is recorded or known not to be ours, or a check of its charge is scheduled. Undefined, before the body is
     * read, for a path by which the processor doesn't prove itself: that gets the answer of a path that doesn't exist.
     */
    readonly handle: (exchange: Exchange, below: string) => Effect.Effect<Reply> | undefined
  }
>()("@pixcharge/core/ports/PaymentNotices") {}

/** A processor's inbound route, mounted by the same bindings as ours. */
export interface NoticesRoute<out E = never, out R = never> {
  /** Below the mount, like `/webhooks/pix`. The processor may call paths below it. */
  readonly path: string
  readonly layer: Layer.Layer<PaymentNotices, E, R>
}
