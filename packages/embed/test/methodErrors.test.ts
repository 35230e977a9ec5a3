import { readdirSync, readFileSync } from "node:fs"
import type {
  AuditLog,
  ChargeLists,
  Checkout,
  DirectoryAdmin,
  EventOperations,
  InvalidFilter,
  InvalidOption,
  PayerData,
  PaymentExceptions,
  PaymentSimulation,
  PixCharges,
  PixReports,
  Reconciler,
} from "@pixcharge/core"
import type { Recurrences } from "@pixcharge/core/recurring"
import type {
  InvalidChargeRequest,
  InvalidPartialRefund,
  InvalidPaymentNotice,
  InvalidRefundReason,
} from "@pixcharge/core/charges"
import type { InvalidRecurrenceId, InvalidRecurrenceRequest } from "@pixcharge/core/recurrence"
import type { Tokens } from "@pixcharge/http"
import type * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { PixError } from "../src/PixError.ts"

/** The errors that the docblock of `Pix` names for all of its methods. */
type Common =
  | "InvalidTaxId"
  | "InvalidChargeId"
  | "BootFailure"
  | "StoreUnavailable"
  | "DirectoryUnavailable"
  | "PixDisposed"
  | "TooManyReports"

type Tag<E> = E extends { readonly _tag: infer T extends string } ? Exclude<T, Common> : never

/** The errors in a service method's type, and the errors of the checks before the call. */
type Failures<S, Name extends keyof S, Checked = never> = S[Name] extends (
  ...args: infer _Args
) => Effect.Effect<infer _A, infer E>
  ? Tag<E> | Tag<Checked>
  : never

/**
 * The errors that a method's docblock names. Further errors in its type must be listed as impossible for this call: while a
 * service's new error is in neither list, this file doesn't compile.
 */
const meets =
  <E extends PixError["_tag"]>() =>
  <const Named extends ReadonlyArray<E>, const Never extends ReadonlyArray<E> = []>(
    named: Named,
    ..._rest: [Exclude<E, Named[number] | Never[number]>] extends [never]
      ? [never?: Never]
      : [never: Never, neitherNamedNorListed: Exclude<E, Named[number] | Never[number]>]
  ): ReadonlyArray<PixError["_tag"]> =>
    named

type Charges = PixCharges["Service"]
type Events = EventOperations["Service"]
type Recurrence = Recurrences["Service"]
type Exceptions = PaymentExceptions["Service"]

/** The errors of each method, by its interface in src/api. */
const errors: Readonly<Record<string, ReadonlyArray<PixError["_tag"]>>> = {
  "Pix.ready": [],
  "Pix.diagnose": [],
  "Pix.tick": ["InvalidOption"],
  "Administration.issue": meets<Failures<Charges, "issue", InvalidChargeRequest>>()([
    "InvalidChargeRequest",
    "CompanyNotFound",
    "IssuerNotEligible",
    "DueDateOutOfRange",
    "InvalidFees",
    "ChargeConflict",
    "ChargeExpired",
    "ChargeCancelled",
    "ChargeRefunding",
    "ChargeRefunded",
    "ProcessorUnavailable",
    "ProcessorRejected",
  ]),
  // The errors of `issue` refuse one request.
  "Administration.issueMany": [
    "CompanyNotFound",
    "IssuerNotEligible",
    "ProcessorUnavailable",
    "ProcessorRejected",
    "InvalidOption",
  ],
  "Administration.change": meets<Failures<Charges, "change">>()(
    [
      "InvalidChargeChange",
      "InvalidChargeRequest",
      "DueDateOutOfRange",
      "InvalidFees",
      "CompanyNotFound",
      "IssuerNotEligible",
      "ChargeNotFound",
      "ChangeConflict",
      "ChangeUnderWay",
      "ChargeNotChangeable",
      "ChargeAlreadyPaid",
      "ChargeExpired",
      "ChargeCancelled",
      "ChargeRefunding",
      "ChargeRefunded",
      "ChangeRejected",
      "ProcessorRejected",
      "ProcessorUnavailable",
    ],
    ["ChargeNotPaid", "ChargePartlyReturned", "RefundWindowClosed", "PaymentOfAnotherCharge"],
  ),
  "Pix.find": meets<Failures<Charges, "find">>()(["ChargeNotFound"]),
  "Pix.findPayment": meets<Failures<PixReports["Service"], "payment", InvalidFilter>>()(["InvalidFilter"]),
  "Administration.cancel": meets<Failures<Charges, "cancel">>()(
    ["ChargeNotFound", "ChargeAlreadyPaid", "CancelTooLate", "ProcessorUnavailable", "ProcessorRejected"],
    ["ChargeCancelled", "ChargeNotPaid", "ChargePartlyReturned", "RefundWindowClosed", "PaymentOfAnotherCharge"],
  ),
  "Administration.refund": meets<Failures<Charges, "refund", InvalidRefundReason>>()(
    [
      "InvalidRefundReason",
      "ChargeNotFound",
      "ChargeNotPaid",
      "ChargeCancelled",
      "ChargePartlyReturned",
      "RefundWindowClosed",
      "RefundRejected",
    ],
    ["ChargeAlreadyPaid", "PaymentOfAnotherCharge"],
  ),
  "Administration.refundPart": meets<Failures<Charges, "refundPart", InvalidPartialRefund | InvalidRefundReason>>()(
    [
      "InvalidRefundReason",
      "InvalidPartialRefund",
      "ChargeNotFound",
      "PartialRefundConflict",
      "PartialRefundUnderWay",
      "ChargeRefunding",
      "RefundExceedsRest",
      "ChargeNotPaid",
      "ChargeCancelled",
      "RefundWindowClosed",
      "RefundRejected",
    ],
    ["ChargeAlreadyPaid", "ChargePartlyReturned", "PaymentOfAnotherCharge"],
  ),
  "Pix.confirmPayment": meets<Failures<Charges, "confirmPayment", InvalidPaymentNotice>>()(
    ["InvalidPaymentNotice", "PaymentUnmatched", "PaymentOfAnotherCharge", "PaymentOfAnotherCompany"],
    [
      "ChargeNotFound",
      "ChargeAlreadyPaid",
      "ChargeCancelled",
      "ChargeNotPaid",
      "ChargePartlyReturned",
      "RefundWindowClosed",
    ],
  ),
  "Pix.charges": meets<Failures<ChargeLists["Service"], "charges", InvalidFilter>>()(["InvalidFilter"]),
  "Pix.story": meets<Failures<PixReports["Service"], "story">>()(["ChargeNotFound"]),
  "Pix.figures": meets<Failures<PixReports["Service"], "figures", InvalidFilter>>()([
    "InvalidFilter",
    "PeriodTooLarge",
  ]),
  "Pix.comparison": meets<Failures<Reconciler["Service"], "compare", InvalidFilter>>()([
    "InvalidFilter",
    "PeriodTooLarge",
    "CompanyNotFound",
    "ProcessorUnavailable",
  ]),
  "Pix.payments": meets<Failures<ChargeLists["Service"], "payments">>()(["InvalidFilter"]),
  "Administration.reconcile": meets<Failures<Reconciler["Service"], "reconcile", InvalidFilter>>()([
    "InvalidFilter",
    "CompanyNotFound",
    "ProcessorUnavailable",
  ]),
  "Administration.directory": meets<
    Failures<DirectoryAdmin["Service"], "putCompany"> | Failures<DirectoryAdmin["Service"], "rotateKey">
  >()(["InvalidRegistration"]),
  "Audit.list": meets<Failures<AuditLog["Service"], "list", InvalidFilter>>()(["InvalidFilter"]),
  "Exceptions.list": meets<Failures<Exceptions, "list">>()([], ["InvalidFilter"]),
  "Exceptions.search": meets<Failures<Exceptions, "search", InvalidFilter>>()(["InvalidFilter"]),
  "Exceptions.find": meets<Failures<Exceptions, "find", InvalidFilter>>()(["ExceptionNotFound", "InvalidFilter"]),
  "Exceptions.refund": meets<Failures<Exceptions, "refund", InvalidRefundReason>>()([
    "InvalidRefundReason",
    "ExceptionNotFound",
    "ExceptionClosed",
    "ExceptionRefundRejected",
  ]),
  "Exceptions.resolve": meets<Failures<Exceptions, "resolve", InvalidOption>>()([
    "ExceptionNotFound",
    "ExceptionClosed",
    "InvalidOption",
  ]),
  "Payers.show": meets<Failures<Charges, "find">>()(["ChargeNotFound"]),
  "Payers.export": meets<Failures<PayerData["Service"], "export">>()([]),
  "Payers.erase": meets<Failures<PayerData["Service"], "erase", InvalidOption>>()([
    "PayerHasRecurrence",
    "InvalidOption",
  ]),
  "Recurrences.offer": meets<Failures<Recurrence, "offer", InvalidRecurrenceRequest>>()(
    [
      "InvalidRecurrenceRequest",
      "StartDateTooEarly",
      "SolicitationOutOfRange",
      "CompanyNotFound",
      "IssuerNotEligible",
      "RecurrenceConflict",
      "ProcessorUnavailable",
      "ProcessorRejected",
    ],
    // The docblock names errors of a journey's charge by a reference to `issue`. `RecurrenceNotFound` can't occur after the
    // insert.
    [
      "DueDateOutOfRange",
      "InvalidFees",
      "ChargeConflict",
      "ChargeExpired",
      "ChargeCancelled",
      "ChargeRefunding",
      "ChargeRefunded",
      "RecurrenceNotFound",
    ],
  ),
  "Recurrences.find": meets<Failures<Recurrence, "find">>()(["RecurrenceNotFound"]),
  "Recurrences.list": meets<Failures<Recurrence, "list">>()(["InvalidFilter"]),
  "Recurrences.charges": meets<Failures<Recurrence, "charges">>()(["InvalidFilter"]),
  "Recurrences.end": meets<Failures<Recurrence, "end">>()([
    "RecurrenceNotFound",
    "ProcessorUnavailable",
    "ProcessorRejected",
  ]),
  "Recurrences.charge": meets<Failures<Recurrence, "charge">>()(
    [
      "RecurrenceNotFound",
      "RecurrenceNotApproved",
      "CycleNotOpen",
      "CompanyNotFound",
      "IssuerNotEligible",
      "ProcessorRejected",
      "AmountIsFixed",
    ],
    [
      "ChargeNotFound",
      "ProcessorUnavailable",
      "ChargeAlreadyPaid",
      "ChargeCancelled",
      "ChargeNotPaid",
      "ChargePartlyReturned",
      "RefundWindowClosed",
      "PaymentOfAnotherCharge",
    ],
  ),
  "Recurrences.skip": meets<Failures<Recurrence, "skip">>()(
    [
      "RecurrenceNotFound",
      "RecurrenceNotApproved",
      "CycleNotOpen",
      "CancelTooLate",
      "ChargeAlreadyPaid",
      "ProcessorUnavailable",
      "ProcessorRejected",
    ],
    [
      "AmountIsFixed",
      "ChargeNotFound",
      "CompanyNotFound",
      "IssuerNotEligible",
      "ChargeCancelled",
      "ChargeNotPaid",
      "ChargePartlyReturned",
      "RefundWindowClosed",
      "PaymentOfAnotherCharge",
    ],
  ),
  "Recurrences.retry": meets<Failures<Recurrence, "retry">>()(
    ["ChargeNotFound", "RecurrenceNotApproved", "RetryNotPossible", "ProcessorUnavailable", "ProcessorRejected"],
    [
      // The recurrence of a cycle's charge always exists.
      "RecurrenceNotFound",
      "ChargeAlreadyPaid",
      "ChargeCancelled",
      "ChargeNotPaid",
      "ChargePartlyReturned",
      "RefundWindowClosed",
      "PaymentOfAnotherCharge",
    ],
  ),
  "SandboxRecurrences.play": ["InvalidOption", "RecurrenceNotFound"],
  "SandboxRecurrences.playDebit": ["InvalidOption", "RecurrenceNotFound"],
  "CheckoutLinks.link": meets<Failures<Checkout["Service"], "link", InvalidOption>>()([
    "ChargeNotFound",
    "ChargeWithoutPage",
    "InvalidLink",
    "InvalidOption",
  ]),
  "CheckoutLinks.recurrenceLink": meets<
    Failures<Checkout["Service"], "recurrenceLink", InvalidOption | InvalidRecurrenceId>
  >()(["InvalidRecurrenceId", "RecurrenceNotFound", "InvalidLink", "InvalidOption"]),
  "TokenAdmin.revoke": meets<Failures<Tokens["Service"], "revoke">>()(["InvalidTokenId"]),
  "TokenAdmin.signatures": ["InvalidOption"],
  "TextSignature.sign": [],
  "TextSignature.verify": [],
  "Events.list": meets<Failures<Events, "list", InvalidFilter>>()(["InvalidFilter"]),
  "Events.deadLetters": meets<Failures<Events, "deadLetters", InvalidFilter>>()(["InvalidFilter"]),
  "Events.attempts": meets<Failures<Events, "attempts", InvalidFilter>>()(["InvalidFilter"]),
  "Events.endpoints": meets<Failures<Events, "endpoints">>()([]),
  "Events.replay": meets<Failures<Events, "replay", InvalidFilter>>()(["InvalidFilter", "NothingSelected"]),
  "Events.ping": meets<Failures<Events, "ping", InvalidOption>>()([
    "CompanyNotFound",
    "EndpointNotFound",
    "InvalidOption",
  ]),
  "Events.pause": meets<Failures<Events, "pause">>()(["EndpointNotFound"]),
  "Events.resume": meets<Failures<Events, "resume">>()(["EndpointNotFound"]),
  "Events.pauseForAll": meets<Failures<Events, "pauseForAll">>()(["EndpointNotFound"]),
  "Events.resumeForAll": meets<Failures<Events, "resumeForAll">>()(["EndpointNotFound"]),
  "Events.backlog": [],
  "SandboxPix.simulatePayment": meets<Failures<PaymentSimulation["Service"], "simulate", InvalidOption>>()(
    [
      "InvalidOption",
      "ChargeNotFound",
      "ChargeExpired",
      "ChargeCancelled",
      "ChargeRefunding",
      "ChargeRefunded",
      "SimulationDeclined",
      "ProcessorUnavailable",
    ],
    [
      "ChargeAlreadyPaid",
      "ChargeNotPaid",
      "ChargePartlyReturned",
      "RefundWindowClosed",
      "PaymentOfAnotherCharge",
      "PaymentOfAnotherCompany",
      "PaymentUnmatched",
    ],
  ),
}

const folder = new URL("../src/api/", import.meta.url)
const source = readdirSync(folder)
  .map((file) => readFileSync(new URL(file, folder), "utf8"))
  .join("\n")
const union = readFileSync(new URL("../src/PixError.ts", import.meta.url), "utf8")
const knownErrors = new Set([...union.matchAll(/^ {2}\| (\w+)$/gm)].map(([, name = ""]) => name))
const common = new Set([
  "InvalidTaxId",
  "InvalidChargeId",
  "BootFailure",
  "StoreUnavailable",
  "DirectoryUnavailable",
  "PixDisposed",
  "TooManyReports",
])

/** Docblocks by interface and member. */
const docblocks = new Map(
  [...source.matchAll(/^export interface (\w+)[^]*?^\}/gm)].flatMap(([text, name = ""]) =>
    [...text.matchAll(/^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}readonly (\w+):/gm)].map(
      ([, doc = "", member = ""]): [string, string] => [`${name}.${member}`, doc],
    ),
  ),
)

/** Members whose docblock names no errors. */
const silent =
  /^Pix\.(?:hasRecurrences|tokens|checkout|by|audit|clock|fetch|fetchAt|endStreams|streamsEnd|dispose)$|^SandboxPix\.(?:clock|recurrences)$|^Administration\.(?:exceptions|events|payers|recurrences)$|^(?:ChangedTerms|CycleInput|PlainStory|TickRequest|TickResult)\./

describe("the docblocks of Pix", () => {
  it("name the errors that all methods share", () => {
    const [, doc = ""] = /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport interface Pix /.exec(source) ?? []
    for (const tag of common) expect(doc).toContain(`\`${tag}\``)
  })

  it("exist for every method", () => {
    const methods = [...docblocks.keys()].filter((name) => !silent.test(name))
    expect(methods.toSorted()).toEqual(Object.keys(errors).toSorted())
  })

  it.each(Object.entries(errors))("name exactly the errors of %s", (method, expected) => {
    const named = [...(docblocks.get(method) ?? "").matchAll(/`(\w+)`/g)].map(([, word = ""]) => word)
    const own = named.filter((word) => knownErrors.has(word) && !common.has(word))
    expect([...new Set(own)].toSorted()).toEqual(expected.toSorted())
  })
})
