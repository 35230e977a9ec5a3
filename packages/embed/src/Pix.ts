import type {
  AuditFilter,
  AuditRecord,
  DeliveryAttempt,
  DeliveryFilter,
  DeliveryRecord,
  DiagnosisOrder,
  DirectoryAdmin,
  Finding,
  LinkTerms,
  Page,
  PageRequest,
  Period,
  ReplaySelection,
} from "@pixcharge/core"
import type {
  CancelledCharge,
  ChargeRequestInput,
  ChargeStatus,
  ExceptionStatus,
  IssuedCharge,
  PaidCharge,
  PartialRefundInput,
  PaymentNoticeInput,
  PixEvent,
  RefundedCharge,
  RefundingCharge,
} from "@pixcharge/core/charges"
import type { Figures, ReconciledPeriod } from "@pixcharge/core/internal"
import type { Payer } from "@pixcharge/core/party"
import type { Responder } from "@pixcharge/http"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { MoveTo } from "./makeRunInPast.ts"
import type { PaymentPlayInput } from "./PaymentPlayInput.ts"
import type {
  PlainCharge,
  PlainComparison,
  PlainEndpoint,
  PlainException,
  PlainPartialRefund,
  PlainPayment,
  PlainStory,
} from "./plain.ts"
import type { TickRequest, TickResult } from "./tick.ts"

/**
 * pixcharge for a plain host. Issuers are CNPJs and ids UUIDs, as text; amounts are cents, instants epoch milliseconds. Charges
 * and payments that it returns, and the events of `onEvent`, have each instant in ISO 8601 besides: `payableUntil`,
 * `payableUntilIso`. A charge has a `status` as of the instance's clock.
 *
 * Every promise rejects with a `PixError`: `error._tag` and `error.code` are stable, the message says what to do, the fields
 * carry the facts; `isPixError(error, "ChargeConflict")` tells one from the others. Each may reject with `InvalidTaxId` or
 * `InvalidChargeId` for its arguments, with `BootFailure` while the instance can't start, with `StoreUnavailable` or
 * `DirectoryUnavailable` while those don't answer (the same call later goes on), and with `PixDisposed` after `dispose`.
 * Lists, figures and exports may reject with `TooManyReports`, where a company asks for too many at once. Further errors are
 * named where they occur.
 */
export interface Pix extends Administration, Responder, AsyncDisposable {
  /**
   * Boots what isn't booted yet, as the first use would, and begins the work in the background. Rejects with `BootFailure`;
   * every use within the next second fails in the same way, and requests are answered 503. The first use after
   * that tries again.
   */
  readonly ready: () => Promise<void>
  /**
   * Checks secrets, database, migrations, banks and webhooks, and says of each what to do where it is not in order; `npx -p @pixcharge/embed pixcharge doctor` prints it. It boots nothing: nothing is migrated, registered or
   * sent. It never rejects for what it finds.
   */
  readonly diagnose: (order?: DiagnosisOrder) => Promise<ReadonlyArray<Finding>>
  /**
   * Issues a charge, or finds the one that the same request issued before: it may be repeated (decision 11).
   *
   * Rejects with `InvalidChargeRequest`, `CompanyNotFound`, `IssuerNotEligible`, `DueDateOutOfRange` or `InvalidFees`; with
   * `ChargeConflict`, `ChargeExpired`, `ChargeCancelled`, `ChargeRefunding` or `ChargeRefunded` where the id is taken; with
   * `ProcessorUnavailable` (the same call later goes on) or `ProcessorRejected`.
   *
   * @example
   * const { brCode } = await pix.issue("12345678000195", { id: randomUUID(), amountCents: 1990, dueDate: "2027-03-01" })
   */
  readonly issue: (issuer: string, request: ChargeRequestInput) => Promise<PlainCharge<IssuedCharge>>
  /** The charge as it is now. Rejects with `ChargeNotFound`. */
  readonly find: (issuer: string, id: string) => Promise<PlainCharge>
  /**
   * Records a payment that the host knows from elsewhere, and settles its charge with it. Rejects with `InvalidPaymentNotice`;
   * with `PaymentUnmatched` when it names no charge (it is recorded, as an exception), with `PaymentOfAnotherCharge`, or
   * with `PaymentOfAnotherCompany` when another company's books have it.
   */
  readonly confirmPayment: (notice: PaymentNoticeInput) => Promise<PlainCharge>
  /**
   * The company's charges, newest first, page by page: those created within the period and, where the filter says so, only
   * those with a status as of now, or with a text. Filter and page may come from a request: they are checked, and a call
   * rejects with `InvalidFilter`, which names the invalid field; a cursor must come from a page. Pages miss and
   * repeat nothing while charges are added. A page holds 500 charges by default, and 1 to 1000.
   *
   * @example
   * const { items, cursor } = await pix.charges("12345678000195", { from, until, status: "expired", text: "joana" })
   */
  readonly charges: (issuer: string, filter: ChargeFilter, page?: Partial<PageRequest>) => Promise<Page<PlainCharge>>
  /**
   * A charge with all that happened to it, oldest first: its moves, payments (those that became exceptions, too), refunds and
   * returns, its events with their attempts, and what the audit log has about it. It holds at most 20 exceptions, 50
   * deliveries with 50 attempts each, and 100 records about the charge or each exception. Rejects with `ChargeNotFound`.
   *
   * @example
   * for (const { kind, atIso } of (await pix.story("12345678000195", id)).entries) console.log(atIso, kind)
   */
  readonly story: (issuer: string, id: string) => Promise<PlainStory>
  /**
   * What the company did in a period of at most 31 days: payments and returns by day, charges issued and paid by hour of the
   * day, the time to payment, what expired and was cancelled, open exceptions, and deliveries; days and hours are Brasília's.
   * It reads what lies in the period: for a page that people look at, and no call of every second. Rejects with
   * `InvalidFilter`, or `PeriodTooLarge`.
   *
   * @example
   * const { days, payments } = await pix.figures("12345678000195", { from: until - 30 * 86_400_000, until })
   */
  readonly figures: (issuer: string, period: Period) => Promise<Figures>
  /**
   * Compares a period's payments, of a day at most, with what the processor lists, their returns too, and records nothing:
   * `reconcile` does. Differences come first. Both sides are held in memory, of at most 50 000 payments each. Rejects with
   * `InvalidFilter`, `PeriodTooLarge`, `CompanyNotFound`, or `ProcessorUnavailable` while the processor doesn't answer.
   *
   * @example
   * const { differences, rows } = await pix.comparison("12345678000195", { from, until })
   * for (const { endToEndId, differences: kinds } of rows.slice(0, differences)) console.log(endToEndId, kinds)
   */
  readonly comparison: (issuer: string, period: Period) => Promise<PlainComparison>
  /**
   * Every payment made within the period, oldest first, matched or not: for the day's reconciliation by endToEndId. Rejects with
   * `InvalidFilter`.
   *
   * @example
   * for await (const { endToEndId, amountCents } of pix.payments("12345678000195", { from, until })) add(endToEndId, amountCents)
   */
  readonly payments: (issuer: string, period: Period) => AsyncIterable<PlainPayment>
  /**
   * Does one piece of the work that otherwise runs in the background: sends the events that are due, and finds missed payments
   * and ends refunds. For hosts with `background: false`, called from a cron job or after a request; it may run beside other
   * processes, and beside itself. Nothing is begun after the deadline; a delivery that is under way then is finished, which
   * takes 15 s at most. Each call reads what is due: `more` says that the deadline came before that was done. Rejects with
   * `InvalidOption` for an invalid deadline.
   *
   * @example
   * while ((await pix.tick({ deadlineMs: 20_000 })).more);
   */
  readonly tick: (request: TickRequest) => Promise<TickResult>
  /** The instance's time: the real time, which a sandbox can move. */
  readonly clock: {
    /** Epoch milliseconds. */
    readonly now: () => number
  }
  /** Integrators' tokens. */
  readonly tokens: TokenAdmin
  /** The pages on which payers pay; they need the option `checkout`. */
  readonly checkout: CheckoutLinks
  /**
   * The same calls made by this person or program, as the host names them: `audit` lists what they changed under that name,
   * of which the first 200 characters are kept. Throws `InvalidOption` for a name that is no text, or has no visible
   * character, or control or direction characters.
   *
   * @example
   * await pix.by("ana@revenda.example").directory.rotateKey("12345678000195")
   */
  readonly by: (actor: string) => Administration
  /** Who changed registrations, keys, wallets, associations, endpoints and exceptions, who asked for refunds, who saw a payer, and when. */
  readonly audit: Audit
  /** Answers a web `Request`; what is none of the routes is a 404 in the error shape. */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * The same for routes below a base path, the processor's own included. Throws `InvalidOption` for a base that is no plain path.
   *
   * @example
   * // app/api/payments/[...path]/route.ts of Next.js
   * export const GET = pix.fetchAt("/api/payments")
   */
  readonly fetchAt: (basePath: string) => (request: Request) => Promise<Response>
  /**
   * Ends everything that runs in the background, a boot that is under way too; what is being sent is finished first. To be
   * called when nothing uses it any more: later calls reject with `PixDisposed`, later requests are answered 503.
   */
  readonly dispose: () => Promise<void>
}

/** Which charges to list: those created within the period, and of these only what the other fields say. */
export interface ChargeFilter extends Period {
  readonly status?: ChargeStatus | undefined
  /**
   * 2 to 200 characters: the beginning of the payer's name, in any case and with or without accents; the payer's whole document, masked or
   * not; or, from 8 characters on, the beginning of the charge's id, txid or transaction id, or of a payment's endToEndId.
   */
  readonly text?: string | undefined
}

/**
 * What people do, and programs. In the name that `by` gives, all of it is recorded in the audit log; without `by`, cancelling,
 * refunding whole payments, comparing, test events and what concerns payers are not, and the rest is, in nobody's name.
 */
export interface Administration {
  /**
   * Cancels an unpaid charge, at the processor first. Rejects with `ChargeNotFound`, `ChargeAlreadyPaid`,
   * `ProcessorUnavailable` or `ProcessorRejected`.
   */
  readonly cancel: (issuer: string, id: string) => Promise<PlainCharge<CancelledCharge>>
  /**
   * Returns the full amount of a paid charge; the charge is `Refunding` while the processor works on it (decision 18).
   *
   * Rejects with `ChargeNotFound`, `ChargeNotPaid`, `ChargeCancelled`, `ChargePartlyReturned`, `RefundWindowClosed` or
   * `RefundRejected`.
   *
   * @example
   * const charge = await pix.refund("12345678000195", id)
   * if (charge.status === "refunding") console.log("an event follows when the money has gone back")
   */
  readonly refund: (issuer: string, id: string) => Promise<PlainCharge<RefundedCharge | RefundingCharge>>
  /**
   * Returns a part of a paid charge, which stays paid until all is back; what is left is its `refundableCents`. The same key and
   * cents are the same refund: the call may be repeated, and returns its state, `refunding` while the
   * processor works on it. One that was refused is tried again by the same call (decision 50).
   *
   * Rejects with `InvalidPartialRefund` or `ChargeNotFound`; with `PartialRefundConflict` where the key has other cents; with
   * `PartialRefundUnderWay` (`key` names it) or `ChargeRefunding` while another refund may still return money; with
   * `RefundExceedsRest` for more than is left; with `ChargeNotPaid`, `ChargeCancelled`, `RefundWindowClosed` or
   * `RefundRejected`.
   *
   * @example
   * const { partialRefund } = await pix.by("ana").refundPart("12345678000195", id, { key: randomUUID(), amountCents: 500 })
   * if (partialRefund.status === "returned") console.log("the payer has five reais back")
   */
  readonly refundPart: (issuer: string, id: string, part: PartialRefundInput) => Promise<PartRefunded>
  /**
   * Compares the payments that the processor lists for a period, with their returns, with the books, and records what is
   * missing; returns how much that was. Every company is compared once a day by itself: this is for afterwards, when a backup was
   * restored or a bank lost notices. Rejects with `InvalidFilter`, `CompanyNotFound`, or `ProcessorUnavailable` while the processor doesn't
   * answer; the same call later goes on.
   */
  readonly reconcile: (issuer: string, period: Period) => Promise<ReconciledPeriod>
  /** Payments that settled no charge: further ones, of cancelled charges, of no charge at all (decision 31). */
  readonly exceptions: Exceptions
  /**
   * Who may issue, with which key, and where events go. Each call rejects with `InvalidRegistration` for what breaks a rule;
   * where the directory is the host's own, with `DirectoryUnavailable`.
   */
  readonly directory: Directory
  /** The deliveries of the company's events: what was delivered, what was given up, and sending it again. */
  readonly events: Events
  /** A payer's rights over their data (LGPD): all that the company keeps, and forgetting name and document. */
  readonly payers: Payers
}

/** What `refundPart` returns: the partial refund, and its charge. */
export interface PartRefunded {
  readonly charge: PlainCharge<PaidCharge | RefundingCharge | RefundedCharge>
  readonly partialRefund: PlainPartialRefund
}

/** Which records to list; a charge is named by its id as text. */
export type AuditSearch = Omit<AuditFilter, "chargeId"> & { readonly chargeId?: string }

/** The audit log. */
export interface Audit {
  /**
   * The changes of a company or reseller, newest first: what was changed, who did it and when, without any secret and
   * without payer data. Those of a `postgresDirectory` are listed where the store has the same database and schema, those of a
   * `memoryDirectory` with `memoryStore`. Filter and page may come from a request: they are checked, and a call rejects with
   * `InvalidFilter`, which names the invalid field.
   *
   * @example
   * const { items } = await pix.audit.list("12345678000195", { kind: "keyReplaced", by: "ana@revenda.example" })
   */
  readonly list: (cnpj: string, filter?: AuditSearch, page?: Partial<PageRequest>) => Promise<Page<AuditRecord>>
}

/** Which exceptions to list: those whose payment was made within the period, and of these only those of this status. */
export interface ExceptionFilter extends Period {
  /** `returned` once the whole payment went back, by us or elsewhere. */
  readonly status?: ExceptionStatus | undefined
}

/** What a host can do about payments that settled no charge; payments are named by their endToEndId. */
export interface Exceptions {
  /** What waits for a decision, oldest first. */
  readonly list: (issuer: string) => AsyncIterable<PlainException>
  /**
   * The exceptions of every status whose payment was made within a period, newest payment first, page by page; with a
   * status, only those of that status. Filter and page may come from a request. Rejects with `InvalidFilter`. A page holds
   * 500 by default, and 1 to 1000.
   *
   * @example
   * const { items, cursor } = await pix.exceptions.search("12345678000195", { from, until, status: "returned" })
   */
  readonly search: (
    issuer: string,
    filter: ExceptionFilter,
    page?: Partial<PageRequest>,
  ) => Promise<Page<PlainException>>
  /** One exception, of any status. Rejects with `ExceptionNotFound` or `InvalidFilter`. */
  readonly find: (issuer: string, endToEndId: string) => Promise<PlainException>
  /**
   * Returns the whole payment; its state is `Refunding` while the processor works on it. Rejects with `ExceptionNotFound`,
   * `ExceptionClosed` (`state` says why) or `ExceptionRefundRejected`.
   */
  readonly refund: (issuer: string, endToEndId: string) => Promise<PlainException>
  /**
   * Keeps the payment and closes the exception, with a note that says why. Rejects with `ExceptionNotFound`,
   * `ExceptionClosed`, or `InvalidOption` without a note.
   */
  readonly resolve: (issuer: string, endToEndId: string, note: string) => Promise<PlainException>
}

/** A payer's rights over their data, by CPF or CNPJ; and who sees it. */
export interface Payers {
  /**
   * The payer of one charge; undefined if it names none, or the payer was erased. Pages that show charges to people mask the payer,
   * and call this in the name of who asks for it: the audit log records it. Rejects with `ChargeNotFound`.
   */
  readonly show: (issuer: string, id: string) => Promise<Payer | undefined>
  /** All that the company keeps of the payer. */
  readonly export: (issuer: string, taxId: string) => Promise<{ readonly charges: ReadonlyArray<PlainCharge> }>
  /**
   * Forgets name and document on every charge, with its `messageToPayer` and `additionalInfo`, which may name the payer; money
   * facts stay. Returns how many charges.
   */
  readonly erase: (issuer: string, taxId: string) => Promise<number>
}

/** What a host can do about integrators' tokens. */
export interface TokenAdmin {
  /**
   * Ends one token by its id, the `jti` of its payload: at once in this process, within 5 s in others. To end all tokens of
   * a key, replace the key. Rejects with `InvalidTokenId`.
   */
  readonly revoke: (id: string) => Promise<void>
  /**
   * Signs texts that a host hands out and takes back, with a key of their own for each purpose, derived from the first of
   * `tokens.keys`; all of them verify. What was signed in the sandbox is worth nothing in production. Throws `InvalidOption`
   * without a purpose.
   *
   * @example
   * const forms = pix.tokens.signatures("my forms")
   * if (!(await forms.verify(text, await forms.sign(text)))) throw new Error("somebody changed it")
   */
  readonly signatures: (purpose: string) => TextSignature
}

/** Signs texts for one purpose. */
export interface TextSignature {
  /** The signature of a text, as it may stand in a URL. */
  readonly sign: (text: string) => Promise<string>
  /** Whether a signature is one of this text, for this purpose; false for anything else. */
  readonly verify: (text: string, signature: string) => Promise<boolean>
}

/** Links to the pages on which payers pay. */
export interface CheckoutLinks {
  /**
   * The address of the page of one charge, for its payer: everybody who has it sees what is to be paid and whether it was, and nothing
   * of the payer. It holds until `expiresAt`, in epoch milliseconds, a year after the charge's `watchUntil` at most. Rejects
   * with `ChargeNotFound` or `InvalidLink`; with `InvalidOption` without the option `checkout`.
   *
   * @example
   * const link = await pix.checkout.link("12345678000195", id, { expiresAt: pix.clock.now() + 86_400_000 })
   */
  readonly link: (issuer: string, id: string, terms: LinkTerms) => Promise<string>
}

/** `DirectoryAdmin` in promises. */
export type Directory = {
  readonly [Name in keyof DirectoryAdmin["Service"]]: DirectoryAdmin["Service"][Name] extends (
    ...args: infer Args
  ) => Effect.Effect<infer A, infer _E>
    ? (...args: Args) => Promise<A>
    : never
}

/** Which deliveries to list; a charge is named by its id as text. */
export type EventFilter = Omit<DeliveryFilter, "chargeId"> & { readonly chargeId?: string }

/** Which events to send again: those of an event, a charge or a period, or of what these have in common. */
export type EventSelection = Omit<ReplaySelection, "chargeId"> & { readonly chargeId?: string }

/**
 * What a host can see and do of events; `EventOperations` with plain text for names. What names or selects events may come
 * from a request: it is checked, and `InvalidFilter` names the invalid field.
 */
export interface Events {
  /** Newest first. Rejects with `InvalidFilter`. */
  readonly list: (issuer: string, filter?: EventFilter, page?: Partial<PageRequest>) => Promise<Page<DeliveryRecord>>
  /** Deliveries that were given up, newest first. Rejects with `InvalidFilter`. */
  readonly deadLetters: (issuer: string, page?: Partial<PageRequest>) => Promise<Page<DeliveryRecord>>
  /** Every attempt at one event and endpoint, oldest first. Rejects with `InvalidFilter`. */
  readonly attempts: (issuer: string, eventId: string, endpointId: string) => Promise<ReadonlyArray<DeliveryAttempt>>
  /**
   * The endpoints that get the company's events, without their secrets and the paths of their URLs, and what waits for each: of
   * more than 10 000 events, the 10 000 that are due first are counted.
   *
   * @example
   * const failing = (await pix.events.endpoints("12345678000195")).filter(({ health }) => health === "failing")
   */
  readonly endpoints: (issuer: string) => Promise<ReadonlyArray<PlainEndpoint>>
  /**
   * Sends delivered and dead events again under their ids, and returns how many. A `paid` only while its charge is paid. A name, of 1 to
   * 100 characters, is kept in the audit log. Rejects with `InvalidFilter`, and with `NothingSelected` when neither event nor
   * charge nor period is given.
   *
   * @example
   * await pix.by("ana").events.replay("12345678000195", { period, status: "dead" }, { name: "after the outage" })
   */
  readonly replay: (
    issuer: string,
    selection: EventSelection,
    options?: { readonly name?: string | undefined },
  ) => Promise<number>
  /**
   * Sends a test event to one endpoint. With a key, of 1 to 64 letters, digits, `-` or `_`, the call may be repeated: the same
   * key is the same event, sent once. Rejects with `CompanyNotFound` or `EndpointNotFound`, and with `InvalidOption` for an
   * invalid key.
   */
  readonly ping: (issuer: string, endpointId: string, key?: string) => Promise<PixEvent>
  /**
   * Stops the deliveries to an endpoint of the company, until `resume`. Rejects with `EndpointNotFound`, also for `host` and,
   * unless the company is the reseller itself, for its reseller's: they get other companies' events too. Of endpoints of
   * the host's own tables a reseller's company has only the one that is called `callback-` and its CNPJ.
   */
  readonly pause: (issuer: string, endpointId: string) => Promise<void>
  /** Starts the deliveries again. Rejects with `EndpointNotFound`, as `pause`. */
  readonly resume: (issuer: string, endpointId: string) => Promise<void>
  /**
   * Stops the deliveries to any endpoint, of a company or a reseller: for the host's operator, never for what a company asks.
   * Those to `host`, the host's own function, stop in this process only. Rejects with `EndpointNotFound`.
   */
  readonly pauseForAll: (endpointId: string) => Promise<void>
  /** Starts them again. Rejects with `EndpointNotFound`. */
  readonly resumeForAll: (endpointId: string) => Promise<void>
  /** How many deliveries wait, of all companies, and since when the oldest does, in epoch milliseconds. */
  readonly backlog: () => Promise<{ readonly waiting: number; readonly oldestAt?: number }>
}

/** What the sandbox has besides: a payer to play, and time that can be moved. */
export interface SandboxPix extends Pix {
  /**
   * Pays a charge as its payer would; its cents choose what goes wrong (decision 17), unless `play` does.
   *
   * Each call with a play, an empty one too, is one more payment, of an expired or paid charge as well. A call without one
   * pays once: it may be repeated. Rejects with `ChargeNotFound`, `ChargeExpired` (without a play), `ChargeCancelled`, `ChargeRefunding`,
   * `ChargeRefunded`, `SimulationDeclined` or `ProcessorUnavailable`, and with `InvalidOption` for an invalid play.
   *
   * @example
   * await pix.simulatePayment("12345678000195", id, { outcome: "paidTwice" })
   */
  readonly simulatePayment: (issuer: string, id: string, play?: PaymentPlayInput) => Promise<PlainCharge>
  readonly clock: Pix["clock"] & {
    /**
     * Moves business time forward, `await pix.clock.advance("3 days")`, and looks for payments whose notice was lost.
     * Tokens don't age by it (decision 4).
     */
    readonly advance: (by: Duration.Input) => Promise<void>
    /**
     * Runs `work` at an earlier moment (epoch milliseconds), and returns what it returns; then it is the present again. For
     * data with a history.
     *
     * Business time is frozen there, for all that the instance does; `moveTo` moves it on, and looks for payments whose
     * notice was lost, unless its second argument is `false`. Rejects with `InvalidOption` for an invalid moment, one that is
     * later than the present or before the one that was reached, and while another call runs.
     *
     * @example
     * await pix.clock.runInPast(pix.clock.now() - 86_400_000, async (moveTo) => {
     *   const { id, createdAt } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990 })
     *   await moveTo(createdAt + 60_000)
     *   await pix.simulatePayment(cnpj, id)
     * })
     */
    readonly runInPast: <A>(to: number, work: (moveTo: MoveTo) => Promise<A>) => Promise<A>
  }
}
