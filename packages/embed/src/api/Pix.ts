import type { ChargeSearch, DiagnosisOrder, Finding, Page, PageRequest, Period } from "@pixcharge/core"
import type { LocalDate } from "@pixcharge/core/calendar"
import { parsePaymentNotice, type PaymentNoticeInput } from "@pixcharge/core/charges"
import { addIso, type Figures } from "@pixcharge/core/internal"
import { fetchHandler, type Responder } from "@pixcharge/http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Instance } from "../instance/Instance.ts"
import type { Services } from "../instance/services.ts"
import { tick, type TickRequest, type TickResult } from "./tick.ts"
import { type Administration, makeAdministration } from "./Administration.ts"
import { type Audit, makeAudit } from "./Audit.ts"
import { type Calls, checkActor, makeCalls } from "./calls.ts"
import { checkFields, paymentNoticeFields } from "./checkFields.ts"
import { type CheckoutLinks, makeCheckout } from "./CheckoutLinks.ts"
import {
  type ChargeFilter,
  checkChargeFilter,
  checkPage,
  checkPeriod,
  checkReceiptId,
  mapPage,
  pageRequest,
  pages,
} from "./filters.ts"
import {
  type PlainCharge,
  type PlainComparison,
  type PlainFoundPayment,
  type PlainPayment,
  type PlainStory,
  toPlainCharge,
  toPlainFoundPayment,
  toPlainNow,
  toPlainStory,
} from "./plain.ts"
import { makeTokenAdmin, type TokenAdmin } from "./TokenAdmin.ts"

/**
 * pixcharge for a plain host. Issuers are CNPJs and ids UUIDs, both as strings; amounts are cents, instants epoch milliseconds.
 * Returned records, and the events of `onEvent`, have each instant in ISO 8601 too: `payableUntil`, `payableUntilIso`. A charge
 * has a `status` as of the instance's clock. Filters and pages can come from a request, because they are checked:
 * `InvalidFilter` names the invalid field. A page holds 1 to 1000 items, by default 500.
 *
 * Every promise rejects with a `PixError`: `error._tag` and `error.code` are stable, the message says what to do, and the
 * fields carry the facts. `isPixError(error, "ChargeConflict")` tests for one tag. Each call can reject with `InvalidTaxId` or
 * `InvalidChargeId` for its arguments, with `BootFailure` while the instance can't start, with `StoreUnavailable` or
 * `DirectoryUnavailable` while they don't answer (repeat the call to continue), and with `PixDisposed` after `dispose`. Lists,
 * figures and exports can reject with `TooManyReports` if a company requests too many at once. Each call names its other
 * errors.
 */
export interface Pix extends Administration, Responder, AsyncDisposable {
  /**
   * Boots the instance and begins the background work. Rejects with `BootFailure`; every use within the next second fails the
   * same way, and requests are answered 503. The first use after that tries again.
   */
  readonly ready: () => Promise<void>
  /**
   * Checks secrets, database, migrations, banks and webhooks, and says how to correct each flaw; `npx @pixcharge/cli doctor`
   * prints the findings. It doesn't boot, migrate, register or send. A finding never makes it reject.
   */
  readonly diagnose: (order?: DiagnosisOrder) => Promise<ReadonlyArray<Finding>>
  /** Whether the option `recurrences` is set; without it `recurrences` refuses every call. */
  readonly hasRecurrences: boolean
  /** The charge as it is now. Rejects with `ChargeNotFound`. */
  readonly find: (issuer: string, id: string) => Promise<PlainCharge>
  /**
   * The payment whose ID a payer's receipt shows, in capitals or small letters. Undefined if the company's books don't have it.
   * Rejects with `InvalidFilter` for a text that is no such ID.
   *
   * @example
   * const found = await pix.findPayment("12345678000195", "E1803623620261130120012345678901")
   * if (found?.charge) console.log(found.charge.reference, found.charge.status)
   */
  readonly findPayment: (issuer: string, endToEndId: string) => Promise<PlainFoundPayment | undefined>
  /**
   * Records a payment that the host knows from elsewhere, and settles its charge with it. Rejects with `InvalidPaymentNotice`;
   * with `PaymentUnmatched` if it names no charge (it is recorded as an exception), with `PaymentOfAnotherCharge`, or with
   * `PaymentOfAnotherCompany` if another company's books have it.
   */
  readonly confirmPayment: (notice: PaymentNoticeInput) => Promise<PlainCharge>
  /**
   * The company's charges created within the period, newest first. The filter can also select by status as of now, or by text.
   * Later pages neither miss nor repeat a charge while new ones are added. Rejects with `InvalidFilter`.
   *
   * @example
   * const { items, cursor } = await pix.charges("12345678000195", { from, until, status: "expired", text: "joana" })
   */
  readonly charges: (issuer: string, filter: ChargeFilter, page?: Partial<PageRequest>) => Promise<Page<PlainCharge>>
  /**
   * A charge and its story, oldest entry first: moves, payments (also exceptions), refunds and returns, events with their
   * attempts, and its audit records. It holds at most 20 exceptions, 50 deliveries with 50 attempts each, and 100 records about
   * the charge or each exception. Rejects with `ChargeNotFound`.
   *
   * @example
   * for (const { kind, atIso } of (await pix.story("12345678000195", id)).entries) console.log(atIso, kind)
   */
  readonly story: (issuer: string, id: string) => Promise<PlainStory>
  /**
   * The company's figures for at most 31 days: payments and returns by day, charges issued and paid by hour of the day, the
   * time to payment, expired and cancelled charges, open exceptions, and deliveries. Days and hours are Brasília's. It reads
   * the whole period: don't poll it. Rejects with `InvalidFilter`, or `PeriodTooLarge`.
   *
   * @example
   * const { days, payments } = await pix.figures("12345678000195", { from: until - 30 * 86_400_000, until })
   */
  readonly figures: (issuer: string, period: Period) => Promise<Figures>
  /**
   * Compares the payments and returns of at most a day with the processor's list, differences first. It makes no records:
   * `reconcile` does. It holds both sides in memory, at most 50 000 payments each. Rejects with `InvalidFilter`,
   * `PeriodTooLarge`, `CompanyNotFound`, or `ProcessorUnavailable` while the processor doesn't answer.
   *
   * @example
   * const { differences, rows } = await pix.comparison("12345678000195", { from, until })
   * for (const { endToEndId, differences: kinds } of rows.slice(0, differences)) console.log(endToEndId, kinds)
   */
  readonly comparison: (issuer: string, period: Period) => Promise<PlainComparison>
  /**
   * Every payment made within the period, matched or not, oldest first. Use it for daily reconciliation by endToEndId. Rejects
   * with `InvalidFilter`.
   *
   * @example
   * for await (const { endToEndId, amountCents } of pix.payments("12345678000195", { from, until })) add(endToEndId, amountCents)
   */
  readonly payments: (issuer: string, period: Period) => AsyncIterable<PlainPayment>
  /**
   * Does one piece of the background work: sends due events, finds missed payments and ends refunds. Hosts with
   * `background: false` call it from a cron job or after a request. Other processes and ticks can run beside it. It begins no
   * work after the deadline, but finishes a delivery under way, within 15 s. Each call reads the due work again; `more` says
   * that the deadline came first. Rejects with `InvalidOption` for an invalid deadline.
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
  /** Payers' pages; they need the option `checkout`. */
  readonly checkout: CheckoutLinks
  /**
   * Makes calls in the name of a person or program: `audit` lists the changes under that name, and keeps its first 200
   * characters. Throws `InvalidOption` for a value that isn't a string, and for a name without a visible character or with
   * control or direction characters.
   *
   * @example
   * await pix.by("ana@revenda.example").directory.rotateKey("12345678000195")
   */
  readonly by: (actor: string) => Administration
  /**
   * Who changed registrations, keys, wallets, associations, endpoints and exceptions, requested refunds or saw a payer, and
   * when.
   */
  readonly audit: Audit
  /** Answers a web `Request`; a path outside the routes gets a 404 in the error shape. */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * `fetch` for routes below a base path, the processor's own included. Throws `InvalidOption` if the base isn't a plain path.
   *
   * @example
   * // app/api/payments/[...path]/route.ts of Next.js
   * export const GET = pix.fetchAt("/api/payments")
   */
  readonly fetchAt: (basePath: string) => (request: Request) => Promise<Response>
  /**
   * Ends the streams that tell open pages of checkout, portal and console about changes, and opens no more. Call it before you
   * close your server, which waits for such streams.
   *
   * @example
   * const end = () => {
   *   pix.endStreams()
   *   server.close(() => void pix.dispose())
   * }
   * process.once("SIGTERM", end).once("SIGINT", end)
   */
  readonly endStreams: () => void
  /** A signal for the host's own streams. `endStreams` and `dispose` abort it. */
  readonly streamsEnd: AbortSignal
  /**
   * Ends all background work, open pages' streams and a boot under way; finishes a delivery under way first. Later calls reject
   * with `PixDisposed`, and later requests are answered 503.
   */
  readonly dispose: () => Promise<void>
}

const toChargeSearch = ({ from, until, status, text, amount, due, paid }: ChargeFilter, now: number): ChargeSearch => ({
  from,
  until,
  ...(status !== undefined && { status: { is: status, at: now } }),
  ...(text !== undefined && { text }),
  ...(amount && { amount: { minCents: amount.minCents ?? 0, maxCents: amount.maxCents ?? Number.MAX_SAFE_INTEGER } }),
  ...(due && { due: { from: due.from as LocalDate, until: due.until as LocalDate } }),
  ...(paid && { paid }),
})

const parseNotice = (notice: PaymentNoticeInput) =>
  Effect.andThen(
    checkFields("confirmPayment(notice)", notice, paymentNoticeFields),
    Effect.fromResult(parsePaymentNotice(notice)),
  )

type ChargeMethods = Pick<Pix, "find" | "findPayment" | "confirmPayment" | "charges" | "story">

const makeCharges = ({ run, asCompany, onCharge }: Calls<Services>): ChargeMethods => ({
  find: (issuer, id) =>
    onCharge(issuer, id, ({ charges }, company, charge) => toPlainNow(charges.find(company, charge))),
  findPayment: (issuer, endToEndId) =>
    asCompany(
      issuer,
      Effect.fnUntraced(function* ({ reports }, company) {
        const found = yield* reports.payment(company, yield* checkReceiptId(endToEndId))
        return found && toPlainFoundPayment(found, yield* Clock.currentTimeMillis)
      }),
    ),
  confirmPayment: (notice) =>
    run(({ charges }) => toPlainNow(Effect.flatMap(parseNotice(notice), charges.confirmPayment))),
  charges: (issuer, filter, page = {}) =>
    asCompany(issuer, ({ lists }, company) =>
      Effect.flatMap(
        Effect.all([checkChargeFilter(filter), checkPage(page), Clock.currentTimeMillis]),
        ([checkedFilter, checkedPage, now]) =>
          Effect.map(lists.charges(company, toChargeSearch(checkedFilter, now), pageRequest(checkedPage)), (listed) =>
            mapPage(listed, (charge) => toPlainCharge(charge, now)),
          ),
      ),
    ),
  story: (issuer, id) =>
    onCharge(issuer, id, ({ reports }, company, charge) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(reports.story(company, charge), (story) => toPlainStory(story, now)),
      ),
    ),
})

const makeReports = ({ asCompany }: Calls<Services>): Pick<Pix, "figures" | "comparison" | "payments"> => ({
  figures: (issuer, period) =>
    asCompany(issuer, ({ reports }, company) =>
      Effect.flatMap(checkPeriod(period), (checked) => reports.figures(company, checked)),
    ),
  comparison: (issuer, period) =>
    asCompany(issuer, ({ reconciler }, company) =>
      Effect.flatMap(checkPeriod(period), (checked) => Effect.map(reconciler.compare(company, checked), addIso)),
    ),
  payments: (issuer, period) =>
    pages((page) =>
      asCompany(issuer, ({ lists }, company) =>
        Effect.flatMap(checkPeriod(period), (checked) =>
          Effect.map(lists.payments(company, checked, page), (listed) => mapPage(listed, addIso)),
        ),
      ),
    ),
})

interface Given extends Pick<Pix, "diagnose" | "hasRecurrences"> {
  readonly canSign: boolean
  readonly streams: AbortController
}

export const makePix = (
  instance: Instance<Services>,
  respond: Responder["respond"],
  clock: Clock.Clock,
  { diagnose, hasRecurrences, canSign, streams }: Given,
): Pix => {
  const calls = makeCalls(instance)
  const endStreams = () => streams.abort()
  const dispose = () => {
    endStreams()
    return instance.dispose()
  }
  return {
    ready: async () => void (await instance.boot()),
    diagnose,
    hasRecurrences,
    respond,
    fetch: fetchHandler({ respond }),
    fetchAt: (basePath) => fetchHandler({ respond }, basePath),
    ...makeCharges(calls),
    ...makeReports(calls),
    clock: { now: () => clock.currentTimeMillisUnsafe() },
    tick: (request) => calls.run((services) => tick(services, request)),
    ...makeAdministration(calls),
    by: (actor) => makeAdministration(makeCalls(instance, checkActor(actor))),
    audit: makeAudit(calls),
    tokens: makeTokenAdmin(calls, canSign),
    checkout: makeCheckout(calls),
    endStreams,
    streamsEnd: streams.signal,
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}
