import type { Page, PageRequest } from "@pixcharge/core"
import type { RecurrenceRequestInput } from "@pixcharge/core/recurrence"
import type { CycleInput } from "../CycleInput.ts"
import type { PlainCharge } from "../plain.ts"
import type { PlainRecurrence, RecurrenceStatus } from "../plainRecurrence.ts"

/** Which recurrences to list; every field narrows. */
export interface RecurrenceSearch {
  readonly status?: RecurrenceStatus | undefined
  /** The payer's CPF or CNPJ, masked or not. */
  readonly payer?: string | undefined
  /**
   * What people look for, from 2 characters on: the beginning of a word of the payer's name, or of several in their order, without
   * regard to capitals and accents; the payer's whole document, masked or not; from 8 characters on, the beginning of the recurrence's
   * id; or its whole contract.
   */
  readonly text?: string | undefined
}

/**
 * Pix Automático: the payer authorises once, and each cycle is charged. Ids are UUIDs. A cycle's charge is a charge: `pix.find`,
 * `pix.cancel` and `pix.refund` are for it, too.
 *
 * Every call may reject with `InvalidOption`, as where the option `recurrences` of `createPix` is missing, and with
 * `InvalidRecurrenceId` for the id of a recurrence.
 */
export interface Recurrences {
  /**
   * Offers a recurrence to its payer, or finds the one that the same request offered: it may be repeated. It has a `brCode` unless the
   * payer is asked in the bank's app. What the payer decides is told by the events `recurrence-approved` and `recurrence-ended`.
   *
   * Rejects with `InvalidRecurrenceRequest`, `StartDateTooEarly`, `SolicitationOutOfRange`, `CompanyNotFound` or `IssuerNotEligible`;
   * with `RecurrenceConflict` where the id or the contract is taken on other terms; with `ProcessorUnavailable` (the offer is resumed by
   * itself) or `ProcessorRejected`; and as `issue` does, where the payer authorises by paying a charge.
   *
   * @example
   * const { brCode } = await pix.recurrences.offer("12345678000195", {
   *   id: randomUUID(),
   *   payer: { name: "Ana Souza", taxId: "529.982.247-25" },
   *   title: "Academia",
   *   period: "monthly",
   *   startDate: "2027-04-10",
   *   amountCents: 4_990,
   *   retries: "threeInSeven",
   *   journey: { by: "code" },
   * })
   */
  readonly offer: (issuer: string, request: RecurrenceRequestInput) => Promise<PlainRecurrence>
  /** The recurrence as it is now. Rejects with `RecurrenceNotFound`. */
  readonly find: (issuer: string, id: string) => Promise<PlainRecurrence>
  /**
   * The company's recurrences, newest first, page by page. Filter and page may come from a request. Rejects with `InvalidFilter`. A
   * page holds 500 by default, and 1 to 1000.
   *
   * @example
   * const { items, cursor } = await pix.recurrences.list("12345678000195", { status: "approved" })
   */
  readonly list: (
    issuer: string,
    filter?: RecurrenceSearch,
    page?: Partial<PageRequest>,
  ) => Promise<Page<PlainRecurrence>>
  /** The charges of its cycles, the last cycle first, page by page. Rejects with `InvalidFilter`. */
  readonly charges: (issuer: string, id: string, page?: Partial<PageRequest>) => Promise<Page<PlainCharge>>
  /**
   * Ends it: nothing is charged any more. It is `ending` until the bank has confirmed that, which is pursued by itself. A debit that
   * is due today can't be stopped. Rejects with `RecurrenceNotFound`, `ProcessorUnavailable` or `ProcessorRejected`.
   */
  readonly end: (issuer: string, id: string) => Promise<PlainRecurrence>
  /**
   * Charges one cycle: of a recurrence without a fixed amount, or again after a charge of the cycle that was cancelled or
   * rejected. A fixed amount is charged by itself.
   *
   * Rejects with `RecurrenceNotFound` or `RecurrenceNotApproved`; with `AmountIsFixed` for another amount than
   * the recurrence's own; with `CycleNotOpen` outside of the cycle's window, and where it has a charge; with `CompanyNotFound`,
   * `IssuerNotEligible` or `ProcessorRejected`.
   */
  readonly charge: (issuer: string, id: string, cycle: CycleInput) => Promise<PlainCharge>
  /**
   * Leaves a cycle out, because it was paid otherwise or nothing is owed: its charge is cancelled, or never made. Rejects with
   * `RecurrenceNotFound`, `RecurrenceNotApproved` or `CycleNotOpen`; where it has a charge, with `CancelTooLate`, `ChargeAlreadyPaid`,
   * `ProcessorUnavailable` or `ProcessorRejected`.
   */
  readonly skip: (issuer: string, id: string, cycle: number) => Promise<PlainRecurrence>
  /**
   * Asks for a new attempt of a cycle's charge whose debit failed, on a day, `YYYY-MM-DD`; by default on the earliest. Up to three are
   * possible, where the recurrence has `retries: "threeInSeven"`. Rejects with `ChargeNotFound`, `RetryNotPossible` (`obstacle` says
   * why), `RecurrenceNotApproved` once it is ended, `ProcessorUnavailable` (it is asked for again by itself) or `ProcessorRejected`.
   */
  readonly retry: (issuer: string, chargeId: string, on?: string) => Promise<PlainCharge>
}
