import * as core from "@pixcharge/core"
import type { LocalDate } from "@pixcharge/core/calendar"
import * as charges from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as recurrences from "@pixcharge/core/recurrence"
import * as Redacted from "effect/Redacted"
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"

const issuer = "12345678000195" as Cnpj
const id = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c" as charges.ChargeId
const charge = { issuer, id }
const recurrence = { issuer, id: id as string as recurrences.RecurrenceId }
const endToEndId = "E1234567820260603150012345678abc"
const reason = Redacted.make("Maria has no money")
const operation = "changed"
const day = (text: string) => text as LocalDate

/** The full message of each error: problem and remedy. */
const sentences: ReadonlyArray<readonly [Error & { readonly _tag: string }, string]> = [
  [
    new core.CompanyNotFound({ issuer }),
    "The directory has no company with this CNPJ. Register the company in the directory, or correct the CNPJ.",
  ],
  [
    new core.IssuerNotEligible({ issuer, missing: ["companyWallet", "association"] }),
    "The company can't issue charges: its registration lacks companyWallet, association. Complete the registration in the directory.",
  ],
  [
    new core.DueDateOutOfRange({
      dueDate: day("2020-01-01"),
      earliest: day("2027-03-01"),
      latest: day("2032-03-01"),
    }),
    "dueDate must be a day from 2027-03-01 (today in Brasília) to 2032-03-01. Choose another due date, from `earliest` to `latest`.",
  ],
  [
    new core.ChargeNotFound(charge),
    `The company has no charge ${id}. Check the id, and the CNPJ of the company that issued the charge.`,
  ],
  [
    new core.InvalidLink({ ...charge, latest: 7 }),
    "A link can't be valid until this moment. Give `expiresAt` in whole epoch milliseconds, later than `pix.clock.now()` and no later than 7: a year after the charge's watchUntil, or a year from now for a recurrence.",
  ],
  [
    new core.ChargeConflict(charge),
    `The id ${id} is taken by a charge with another amount, due date, payer, validity or text. Issue under a new UUID, or repeat the first request unchanged.`,
  ],
  [new core.ChargeExpired(charge), `Charge ${id} has expired. Issue a new charge under a new UUID.`],
  [new core.ChargeCancelled(charge), `Charge ${id} was cancelled. Issue a new charge under a new UUID.`],
  [
    new core.ChargeRefunding(charge),
    `Charge ${id} is being refunded, and its id can't be used again. Wait for the event \`refunded\`; for a further sale issue a new charge under a new UUID.`,
  ],
  [
    new core.ChargeRefunded(charge),
    `Charge ${id} was refunded, and its id can't be used again. Issue a new charge under a new UUID.`,
  ],
  [
    new core.ChargeNotPaid(charge),
    `Charge ${id} is not paid, so there is nothing to return. Cancel the charge instead of refunding it.`,
  ],
  [
    new core.ChargeAlreadyPaid(charge),
    `Charge ${id} is paid and can't be cancelled or changed. Refund the charge, or a part of it.`,
  ],
  [
    new core.ChargePartlyReturned({ ...charge, returnedCents: 5 }),
    `Part of the payment of charge ${id} went back or is on its way back, so it can't be returned in full. Return the rest with \`pix.refundPart\`.`,
  ],
  [
    new core.RefundWindowClosed({ ...charge, closedAt: 7 }),
    `Charge ${id} was paid too long ago to be returned as a refund. Return the money by a payment of your own.`,
  ],
  [
    new core.RefundRejected({ ...charge, reason }),
    `The processor rejected the refund of charge ${id}, which is paid as before. Read the processor's reason with \`Redacted.value(error.reason)\`.`,
  ],
  [
    new core.PartialRefundConflict({ ...charge, key: "the caller's own" }),
    `A partial refund of charge ${id} has this key and another amount. Give another refund a key of its own; to repeat the first one, give its cents.`,
  ],
  [
    new core.PartialRefundUnderWay({ ...charge, key: "the caller's own" }),
    `Another partial refund of charge ${id} can still return money: \`error.key\` names it. Repeat that refund under its key until it has ended, then make this call again.`,
  ],
  [
    new core.RefundExceedsRest({ ...charge, leftCents: 5 }),
    `Of the payment of charge ${id} only 5 centavos are left to return. Ask for \`leftCents\` at most.`,
  ],
  [
    new core.PaymentUnmatched({ issuer, endToEndId }),
    "The payment's txid names no charge of the company; it is recorded as an exception. Refund or resolve it with `pix.exceptions`.",
  ],
  [
    new core.PaymentOfAnotherCharge({ ...charge, endToEndId }),
    `endToEndId names a payment that is recorded for another charge than ${id}, or dealt with as an exception. Check the endToEndId and the txid of the notice against the bank's statement.`,
  ],
  [
    new core.PaymentOfAnotherCompany({ issuer, endToEndId: "the caller's own" }),
    "endToEndId names a payment of another company, as its txid or that company's books show. Find out at the bank, by the payment's txid and PIX key, which company was paid; `pix.comparison` of both companies shows it.",
  ],
  [
    new core.ExceptionNotFound({ issuer, endToEndId: "the caller's own" }),
    "The company has no payment exception with this endToEndId. List the open ones with `pix.exceptions.list`.",
  ],
  [
    new core.ExceptionClosed({ issuer, endToEndId, state: "Resolved" }),
    "The payment exception can't be acted on any more: its state is Resolved. At the bank, return a payment that is partly returned or too old. The other states need no action.",
  ],
  [
    new core.ExceptionRefundRejected({ issuer, endToEndId, reason }),
    "The processor rejected the return of the payment, whose exception is open as before. Read the processor's reason with `Redacted.value(error.reason)`.",
  ],
  [
    new core.SimulationDeclined(charge),
    `The sandbox declined to pay charge ${id} because of its cents or the chosen outcome. Issue a charge of another amount, or choose another outcome.`,
  ],
  [
    new core.ProcessorUnavailable({ operation }),
    "The processor gave no usable answer (changed), and may have acted. Make the same call again after some seconds: it continues where this one ended. If it fails again, check connection and credentials.",
  ],
  [
    new core.ProcessorUnavailable({ operation, retryAfterMs: 700 }),
    "The processor gave no usable answer (changed), and may have acted. Make the same call again after 700 ms: it continues where this one ended. If it fails again, check connection and credentials.",
  ],
  [
    new core.ProcessorRejected({ operation, reason }),
    "The processor refused the call (changed), and would refuse it again. Read why with `Redacted.value(error.reason)`. A `status` of 401 or 403 is about credentials or scopes.",
  ],
  [
    new core.ProcessorRejected({ operation, status: 403, reason }),
    "The processor refused the call (changed, status 403), and would refuse it again. Read why with `Redacted.value(error.reason)`. A `status` of 401 or 403 is about credentials or scopes.",
  ],
  [
    new core.StoreUnavailable({ operation }),
    "The store could not be used (changed). Make the same call again after some seconds. If it fails again, check the database: `cause` has the details.",
  ],
  [
    new core.TooManyReports({ issuer, retryAfterMs: 700 }),
    "The company has requested too many lists, figures and exports at the same time. Request fewer at a time, and this one again after 700 ms.",
  ],
  [
    new core.DirectoryUnavailable({ operation: "admin" }),
    "The directory is the host's own. Change the host's tables, or its list `companies`: `pix.directory` can't.",
  ],
  [
    new core.DirectoryUnavailable({ operation }),
    "The directory could not be used (changed). Make the same call again after some seconds. If it fails again, `cause` says what the directory's source answered.",
  ],
  [
    new core.EndpointNotFound({ endpointId: "the caller's own" }),
    "No endpoint that this call can reach has this endpointId. Use an id from the directory. The id of a registered `callback` is `callback-` and the CNPJ of its holder.",
  ],
  [
    new core.NothingSelected({ issuer }),
    "A replay without a selection would send every event again. Give `eventId`, `chargeId` or `period`.",
  ],
  [
    new core.PeriodTooLarge({ operation: "figures", max: "400 days" }),
    "A call for the figures reads at most 400 days. Request a shorter period.",
  ],
  [new core.InvalidFilter({ field: "filter", rule: "an object" }), "The filter must be an object."],
  [core.invalidCursor(), "The cursor of a filter must be the cursor of a page of this list."],
  [
    new core.ChargeWithoutPage({ ...charge, recurrenceId: recurrence.id }),
    `The charge ${id} has no page, because the payer's bank debits it. Give the payer the page of its recurrence: \`pix.checkout.recurrenceLink(issuer, "${id}")\`.`,
  ],
  [
    new recurrences.RecurrenceNotFound(recurrence),
    `The company has no recurrence ${id}. Check the id, and the CNPJ of the company that offered the recurrence.`,
  ],
  [
    new recurrences.PayerHasRecurrence(recurrence),
    `The payer can't be erased: their recurrence ${id} is not over. End the recurrence, wait for the event recurrence-ended, and erase the payer then.`,
  ],
  [
    new recurrences.RecurrenceConflict(recurrence),
    `The id ${id} or its contract is taken by a recurrence on other terms. Offer it under a new UUID and contract, or repeat the first request unchanged.`,
  ],
  [
    new recurrences.RecurrenceNotApproved({ ...recurrence, state: "Offered" }),
    `No cycle can be charged by the recurrence ${id}: its payer has not authorised it yet. Wait for the event recurrence-approved, or offer a new recurrence if this one has ended.`,
  ],
  [
    new recurrences.AmountIsFixed({ ...recurrence, amountCents: 4990 }),
    `Each cycle of the recurrence ${id} is charged with 4990 centavos: its payer has authorised no other amount. Charge that amount. For another one, end the recurrence and offer a new one.`,
  ],
  [
    new recurrences.CycleNotOpen({ ...recurrence, cycle: 3 }),
    `Cycle 3 of the recurrence ${id} can't be charged: its window has closed, or it was charged or skipped. A fixed amount is charged automatically when the window opens. Charge any other amount after the event cycle-due, until its chargeableUntil.`,
  ],
  [
    new recurrences.CycleNotOpen({ ...recurrence, cycle: 3, opensAt: Date.UTC(2026, 10, 30, 12) }),
    `Cycle 3 of the recurrence ${id} can't be charged before 2026-11-30T09:00 in Brasília. A fixed amount is charged automatically when the window opens. Charge any other amount after the event cycle-due, until its chargeableUntil.`,
  ],
  [
    new recurrences.RetryNotPossible({ issuer, chargeId: id, obstacle: "underWay" }),
    `The charge ${id} can't be tried again: an attempt is under way. Wait for the event paid or payment-failed.`,
  ],
  [
    new recurrences.RetryNotPossible({ issuer, chargeId: id, obstacle: "paid" }),
    `The charge ${id} can't be tried again: it is paid. No new attempt is needed: the money has arrived.`,
  ],
  [
    new recurrences.RetryNotPossible({ issuer, chargeId: id, obstacle: "tooLate" }),
    `The charge ${id} can't be tried again: no day is left for a new attempt. Request a new attempt before mayRetryUntil of the event payment-failed, or collect by another charge.`,
  ],
  [
    new recurrences.CancelTooLate({ issuer, chargeId: id, cycle: 3 }),
    `The charge ${id} of cycle 3 can't be cancelled: that is possible until 22:00 in Brasília of the day before its debit. Wait for the day's result, and refund the payment if it comes. To skip the cycles after it, begin the range there.`,
  ],
  [
    new recurrences.StartDateTooEarly({ startDate: day("2020-01-01"), earliest: day("2026-12-11") }),
    "startDate must be 2026-12-11 or later: its first cycle must still be chargeable, and begin after the last day of the journey's charge. Choose a later startDate, from `earliest` on. A charge without a due date can be paid for minutes, a charge with a due date until its company's `graceDays` are over.",
  ],
  [
    new recurrences.SolicitationOutOfRange({ until: 1, latest: Date.UTC(2026, 11, 27, 12) }),
    "journey.until must lie ahead, and before 2026-12-27T09:00 in Brasília, 30 days from now. Choose a time within the next 30 days.",
  ],
  [
    new recurrences.InvalidRecurrenceId(),
    "The id of a recurrence must be a UUID: give the one under which it was offered.",
  ],
  [new charges.InvalidChargeId(), "The id of a charge must be a UUID: give the one under which it was issued."],
]

it.each(sentences)("$_tag states problem and remedy, without a caller's input", (error, sentence) => {
  expect(error.message).toBe(sentence)
  expect(error.name).toBe(error.constructor.name)
  expect(error._tag).toBe(error.constructor.name)
  for (const shown of [JSON.stringify(error), inspect(error), JSON.stringify({ ...error })])
    expect(shown).not.toMatch(/the caller's own|Maria/)
})

describe("an invalid field", () => {
  const oneThrough = "must be a whole number of centavos from 1 to 999999999999"
  const shown = "of ISO 8859-1 (Latin letters and signs, no emoji), one of them visible, and no control characters"

  it.each([
    ["id", "must be a UUID, like randomUUID() of node:crypto makes"],
    ["amount", `(amountCents) ${oneThrough}: 1990 is R$ 19,90`],
    ["dueDate", "must be an existing day, written YYYY-MM-DD or YYYY-MM-DDTHH:mm:ss without a zone"],
    ["payer.name", "must have 1 to 200 characters, one of them visible, and no control characters"],
    ["payer.taxId", "must be a CPF or a CNPJ with right check digits, with or without punctuation"],
    ["payableForSeconds", "must be a whole number from 60 to 2592000, and only without a dueDate"],
    ["messageToPayer", `must have 1 to 140 characters ${shown}`],
    ["payer.email", "must be an e-mail address of at most 254 characters, and only with a dueDate"],
    [
      "payer.address",
      "must be { street, city, state, postalCode }: texts of 1 to 200 characters, a state like SP, a postal code of eight digits; and only with a dueDate",
    ],
    [
      "fees",
      'must be "none", or an object with any of fine, interest, abatement and discount; and only with a dueDate',
    ],
    [
      "fees.fine",
      'must be "none", or a fine { kind: "fixed", amountCents } or { kind: "percent", basisPoints } of 1 to 1000000 (200 is 2 %)',
    ],
    [
      "fees.abatement",
      'must be "none", or an abatement { kind: "fixed", amountCents } or { kind: "percent", basisPoints } of 1 to 9999 (200 is 2 %)',
    ],
    ["graceDays", "must be a whole number from 1 to 3650, and only with a dueDate"],
    [
      "additionalInfo",
      `must be up to 50 of { name, value }: names of 1 to 50 and values of 1 to 200 characters ${shown}`,
    ],
  ] as const)("the error of a request names the invalid field and its rule: %s", (field, rule) => {
    const error = new charges.InvalidChargeRequest({ field })
    expect([error.name, error.message]).toEqual(["InvalidChargeRequest", `The charge's ${field} ${rule}.`])
  })

  it.each([
    ["key", "must have 1 to 100 visible ASCII characters and no space, like a UUID"],
    ["amountCents", `${oneThrough}: 1990 is R$ 19,90`],
  ] as const)("the error of a partial refund names the invalid field and its rule: %s", (field, rule) => {
    const error = new charges.InvalidPartialRefund({ field })
    expect([error.name, error.message]).toEqual(["InvalidPartialRefund", `The partial refund's ${field} ${rule}.`])
  })

  it.each([
    ["issuer", "must be the CNPJ of the company that was paid"],
    ["txid", "must have 1 to 35 letters and digits, or be left out"],
    ["endToEndId", "must have 32 letters and digits"],
    ["amountCents", oneThrough],
    ["paidAt", "must be an instant in whole epoch milliseconds, like date.getTime() gives"],
  ] as const)("the error of a notice names the invalid field and its rule: %s", (field, rule) => {
    const error = new charges.InvalidPaymentNotice({ field })
    expect([error.name, error.message]).toEqual(["InvalidPaymentNotice", `The payment's ${field} ${rule}.`])
  })
})

it("a service has the same key in every copy of the package", () => {
  const keys = Object.entries(core).flatMap(([name, value]) =>
    typeof value === "function" && "key" in value && typeof value.key === "string" ? [[name, value.key]] : [],
  )
  expect(keys.length).toBeGreaterThan(25)
  for (const [name, key] of keys) expect(key).toMatch(new RegExp(`^@pixcharge/core/[\\w/]+/${name}$`))
})
