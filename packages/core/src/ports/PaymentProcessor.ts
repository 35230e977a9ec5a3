import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { LocalDate } from "../model/calendar/LocalDate.ts"
import type { ChargeConflict } from "../model/charge/chargeErrors.ts"
import type {
  AdditionalInfo,
  ChangedCharge,
  Charge,
  ChargeId,
  ChargePayer,
  PaymentNotice,
  RefundOutcome,
  Return,
  Txid,
} from "../model/charge/index.ts"
import type { Fees } from "../model/money/Fees.ts"
import type { Cents } from "../model/money/Money.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { Company } from "../model/party/Company.ts"
import type { Exchange, Reply } from "../runtime/exchange.ts"
import type { Page, Period } from "../runtime/page.ts"
import type { ProcessorRejected, ProcessorUnavailable } from "./portErrors.ts"

// Every supported runtime has `crypto`, but our types name no platform.
declare const crypto: { readonly randomUUID: () => string }

/** Makes a transaction's UUID (`data.transacaoId`): random, unless a test provides its own. */
export const TransactionIds = Context.Reference<{ readonly next: () => string }>(
  "@pixcharge/core/ports/TransactionIds",
  { defaultValue: () => ({ next: () => crypto.randomUUID() }) },
)

export interface ChargeOrder {
  /** The receiver, with the charge's fees and grace days. */
  readonly company: Company
  readonly id: ChargeId
  readonly txid: Txid
  readonly amountCents: Cents
  /** The requested due date. The processor moves it off closed days itself. */
  readonly dueDate?: LocalDate
  /** The request's payer, or the company's generic one. */
  readonly payer?: ChargePayer
  /** Fees of the same charge that a call on an earlier day can have sent. A known charge with these is the order's, too. */
  readonly earlierFees?: ReadonlyArray<Fees>
  /** How long a charge without a due date is payable, in seconds. Default: 600. */
  readonly payableForSeconds?: number
  /** Shown to the payer, if the processor shows such texts. */
  readonly messageToPayer?: string
  readonly additionalInfo?: ReadonlyArray<AdditionalInfo>
  /** Epoch milliseconds. */
  readonly requestedAt: number
  /** End of the promised time to pay a charge that is created now. Epoch milliseconds. */
  readonly payableUntil: number
  /** Of a change: the count shown before its request. */
  readonly revision?: number
  /** One of many (`issueMany`): calls that somebody waits for come first. */
  readonly isOneOfMany?: true
}

export interface RegisteredCharge {
  readonly txid: Txid
  readonly brCode: string
  /** Time of creation, even by an earlier call. Epoch milliseconds. */
  readonly createdAt: number
  readonly pixKey?: string
}

export interface ShownNotice extends PaymentNotice {
  /** The PIX key that received the payment, if the processor shows it. */
  readonly pixKey?: string
}

export interface ProcessorView {
  readonly status: "active" | "completed" | "removed" | "unknown"
  /** The txid belongs to a different charge, so the view contains no data of it. */
  readonly isOfAnother?: true
  readonly pixKey?: string
  /** The terms that the payer sees. */
  readonly terms?: {
    readonly amountCents: Cents
    readonly dueDate?: LocalDate
    /** Only for a charge without a due date, if the processor shows it. */
    readonly payableForSeconds?: number
    /** How often the charge was changed (`revisao`), if the processor shows it. */
    readonly revision?: number
  }
  readonly payments: ReadonlyArray<ShownNotice>
  /** Settled returns of those payments. */
  readonly returns: ReadonlyArray<Return>
}

export interface ReceivedPayment extends ShownNotice {
  /** The host says that another system owns this txid. Recorded only for a charge of ours. */
  readonly isForeign?: boolean
  /** Settled returns of the payment: our refunds, and returns made by the bank or in its portal. */
  readonly returns: ReadonlyArray<Return>
  readonly rejections?: ReadonlyArray<RefundRejection>
}

export interface RefundRejection {
  readonly refundId: string
  readonly reason: string
}

export interface PaymentPage extends Page<ReceivedPayment> {
  /** Unreadable payments and returns. A period with any doesn't count as compared. Default: 0. */
  readonly unreadable?: number
}

/** Selects payments made within the period. */
export interface PaymentSearch extends Period {
  /** Only payments with a return, if the processor can filter by this. */
  readonly isReturned?: true
}

export type CancelOutcome = { readonly _tag: "Cancelled" } | { readonly _tag: "Paid"; readonly view: ProcessorView }

export interface RefundOrder {
  readonly issuer: Cnpj
  readonly endToEndId: string
  readonly amountCents: Cents
  /** Repeated calls with the same id return the money once. */
  readonly refundId: string
  /** A text for the payer, if the processor can send one: 1 to 140 characters of ISO 8859-1, the same in each call for the id. */
  readonly reason?: string
}

/**
 * Moves the money: a bank or payment institution behind its API, or the sandbox. Provided by `processor-api-pix` and
 * `processor-sandbox`. Every write can be repeated. Every method fails with `ProcessorUnavailable` if it gets no usable answer;
 * its write can still have taken effect.
 */
export class PaymentProcessor extends Context.Service<
  PaymentProcessor,
  {
    /** `local`: the processor answers immediately and loses no charge, so issuing needs no look-up. */
    readonly locality: "local" | "remote"
    /**
     * Registers the charge; idempotent by txid. Fails with `ChargeConflict` if the txid has a charge with other terms, and with
     * `ProcessorRejected` if the processor refuses.
     */
    readonly register: (
      order: ChargeOrder,
    ) => Effect.Effect<RegisteredCharge, ProcessorUnavailable | ProcessorRejected | ChargeConflict>
    /** Whether the company's processor can change an open charge. */
    readonly changes: (issuer: Cnpj) => Effect.Effect<"offered" | "missing", ProcessorUnavailable>
    /**
     * Replaces all terms of an open charge by the order's; its kind stays. Succeeds once the processor shows these terms. Fails
     * with `ProcessorRejected` if the processor refuses.
     */
    readonly change: (order: ChargeOrder) => Effect.Effect<ChangedCharge, ProcessorUnavailable | ProcessorRejected>
    /** With `revision`, as it was then, if the processor keeps it. */
    readonly lookup: (charge: Charge, revision?: number) => Effect.Effect<ProcessorView, ProcessorUnavailable>
    /**
     * Cancels the charge. An absent charge counts as cancelled; a paid charge gives `Paid`. Fails with `ProcessorRejected` if the
     * processor refuses.
     */
    readonly cancel: (charge: Charge) => Effect.Effect<CancelOutcome, ProcessorUnavailable | ProcessorRejected>
    /**
     * Returns the money, once by `refundId`. A repeated id gives the earlier return, and its amount if that differs from the
     * order's.
     */
    readonly refund: (order: RefundOrder) => Effect.Effect<RefundOutcome, ProcessorUnavailable>
    /** Undefined if the processor doesn't know the refund. */
    readonly lookupRefund: (order: RefundOrder) => Effect.Effect<RefundOutcome | undefined, ProcessorUnavailable>
    /** Payments that the company received, oldest first, each with its returns. `cursor` continues after a page. */
    readonly payments: (
      issuer: Cnpj,
      search: PaymentSearch,
      cursor?: string,
    ) => Effect.Effect<PaymentPage, ProcessorUnavailable>
  }
>()("@pixcharge/core/ports/PaymentProcessor") {}

/** Answers the processor's calls about payments (decision 37). Provided by `processor-api-pix`. */
export class PaymentNotices extends Context.Service<
  PaymentNotices,
  {
    /**
     * `below` is the rest of the path after the route's, without doubled or trailing slashes: `""`, `/pix`,
     * `/12345678000195/pix`. Answers 2xx only after each payment of the call is recorded, is known not to be ours, or has a check
     * of its charge scheduled. Returns undefined, before reading the body, if the path doesn't authenticate the processor; the
     * caller then gets the answer for an unknown path.
     */
    readonly handle: (exchange: Exchange, below: string) => Effect.Effect<Reply> | undefined
  }
>()("@pixcharge/core/ports/PaymentNotices") {}

/** The processor's inbound route, which the bindings mount. */
export interface NoticesRoute<out E = never, out R = never> {
  /** Below the mount, like `/webhooks/pix`. The processor can also call paths below it. */
  readonly path: string
  readonly layer: Layer.Layer<PaymentNotices, E, R>
}
