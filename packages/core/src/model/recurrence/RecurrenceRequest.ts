import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"
import { type LocalDate, parseLocalDate } from "../calendar/LocalDate.ts"
import {
  type ChargeRequest,
  type ChargeRequestField,
  chargeRequestRules,
  parseChargeRequest,
  parsePayer,
} from "../charge/ChargeRequest.ts"
import type { ChargeRequestInput } from "../charge/ChargeRequestInput.ts"
import { parseShownText, shownCharacters } from "../charge/ShownText.ts"
import { parseRecurrenceId } from "../cycle/RecurrenceId.ts"
import { isPeriod, isRetryOn, type RecurrencePeriod } from "../cycle/cycles.ts"
import { isChargeCents } from "../money/Money.ts"
import type { Payer } from "../party/Company.ts"
import type { Journey, RecurrenceTerms } from "./Recurrence.ts"

/** How the payer authorises, in plain values. */
export type JourneyInput =
  | {
      readonly by: "bank"
      /** The ISPB of the payer's bank: eight letters or digits. */
      readonly ispb: string
      /** Up to four digits. */
      readonly branch?: string | undefined
      /** Up to 20 letters and digits. */
      readonly account: string
      /** The end of the request: ISO 8601 with a zone, or a `Date`; less than 30 days ahead. */
      readonly until: string | Date
    }
  /** The code authorises without a payment. */
  | {
      readonly by: "code"
      /** The end of the code: ISO 8601 with a zone, or a `Date`. The default and the maximum are 30 days ahead. */
      readonly until?: string | Date | undefined
    }
  /** Paying a charge, immediate or with a due date, authorises too. */
  | { readonly by: "payment"; readonly charge: ChargeRequestInput }

/** A recurrence that a host offers to a payer, in plain values. */
export interface RecurrenceRequestInput {
  /** A UUID that the caller makes. Later calls name the recurrence by it. */
  readonly id: string
  /**
   * Names the contract to bank and payer: 1 to 35 characters of ISO 8859-1, unique within the company. By default the id
   * without hyphens.
   */
  readonly contract?: string | undefined
  /** CPF or CNPJ, with or without punctuation; a name of 1 to 140 characters. */
  readonly payer: { readonly name: string; readonly taxId: string }
  /** The title that the payer sees: 1 to 35 characters of ISO 8859-1. */
  readonly title: string
  readonly period: RecurrencePeriod
  /** `YYYY-MM-DD`: the first day of cycle 1, today in Brasília or later. */
  readonly startDate: string
  /** `YYYY-MM-DD`: no cycle begins later. Absent: no end. */
  readonly endDate?: string | undefined
  /** The amount of each cycle, in integer cents of reais. If absent, the host names an amount cycle by cycle. */
  readonly amountCents?: number | undefined
  /** The lowest maximum per cycle that the payer can set, in integer cents of reais; only without `amountCents`. */
  readonly floorCents?: number | undefined
  /**
   * The payer's permission: `threeInSeven` allows up to three new attempts of a failed debit in the seven days after the due
   * date. Without `retryOn`, only the host requests them (`retry`). By default `none`.
   */
  readonly retries?: RecurrenceTerms["retries"] | undefined
  /**
   * The days after the due date of the new attempts that pixcharge requests by itself, only with `threeInSeven`: one to three
   * different whole numbers from 1 to 7, weekly to 5. Skips a day up to the first debit, which closed days can delay.
   */
  readonly retryOn?: ReadonlyArray<number> | undefined
  readonly journey: JourneyInput
}

/** A journey whose charge isn't issued yet. */
export type RequestedJourney =
  | Exclude<Journey, { readonly by: "payment" | "code" }>
  | { readonly by: "code"; readonly until?: number }
  | { readonly by: "payment"; readonly charge: ChargeRequest }

export interface RecurrenceRequest extends Omit<
  RecurrenceTerms,
  "issuer" | "createdAt" | "journey" | "payer" | "payerErasedAt"
> {
  readonly payer: Payer
  readonly journey: RequestedJourney
}

const ownRules = {
  id: "must be a UUID, like randomUUID() of node:crypto makes",
  contract: `must have 1 to 35 characters ${shownCharacters}`,
  "payer.name": "must have 1 to 140 characters, one of them visible, and no control characters",
  "payer.taxId": chargeRequestRules["payer.taxId"],
  title: `must have 1 to 35 characters ${shownCharacters}`,
  period: "must be weekly, monthly, quarterly, halfYearly or yearly",
  startDate: "must be an existing day before the year 3000, written YYYY-MM-DD",
  endDate: "must be an existing day, written YYYY-MM-DD, and not before startDate",
  amountCents: "must be a whole number of centavos from 1 to 999999999999: 4990 is R$ 49,90",
  floorCents: "must be a whole number of centavos from 1 to 999999999999, and only without amountCents",
  retries: 'must be "none" or "threeInSeven"',
  retryOn:
    'must be one to three different whole numbers of days after the due date, from 1 to 7, or to 5 if weekly, and only with retries: "threeInSeven"',
  journey: 'must be { by: "code", until }, { by: "payment", charge } or { by: "bank", ispb, account, until }',
  "journey.ispb": "must have eight letters or digits",
  "journey.branch": "must have one to four digits, or be left out",
  "journey.account": "must have 1 to 20 letters and digits, with the check digit and without a hyphen",
  "journey.until": "must be a time in ISO 8601 with a zone, like 2026-12-01T12:00:00Z, or a Date",
}

type OwnField = keyof typeof ownRules

export type RecurrenceRequestField = OwnField | `journey.charge.${ChargeRequestField}`

const rules: Record<string, string> = {
  ...ownRules,
  ...Object.fromEntries(Object.entries(chargeRequestRules).map(([field, rule]) => [`journey.charge.${field}`, rule])),
}

/**
 * A field of the request breaks its rule. The error doesn't contain the value.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No, only with a corrected request.
 */
export class InvalidRecurrenceRequest extends TaggedError("InvalidRecurrenceRequest")<{
  readonly field: RecurrenceRequestField
}> {
  override get message(): string {
    return `The recurrence's ${this.field} ${rules[this.field]}.`
  }
}

type Checked<A> = Result.Result<A, InvalidRecurrenceRequest>

const invalid = (field: RecurrenceRequestField) => Result.fail(new InvalidRecurrenceRequest({ field }))

/** API Pix: `vinculo.devedor.nome`. */
const maxNameLength = 140
// API Pix: `vinculo.contrato`, `vinculo.objeto`.
const maxTextLength = 35

const ispbForm = /^[0-9A-Z]{8}$/
const branchForm = /^\d{1,4}$/
const accountForm = /^[0-9A-Za-z]{1,20}$/

const matches = (form: RegExp, text: unknown): boolean => typeof text === "string" && form.test(text)

const parseText = (field: OwnField, text: unknown): Checked<string> => {
  const shown = parseShownText(text, maxTextLength)
  return shown === undefined ? invalid(field) : Result.succeed(shown)
}

const parseDay = (field: OwnField, text: string): Checked<LocalDate> =>
  Result.mapError(parseLocalDate(text), () => new InvalidRecurrenceRequest({ field }))

const parseDebtor = (given: RecurrenceRequestInput["payer"]): Checked<Payer> => {
  const payer = parsePayer(given)
  if (Result.isFailure(payer)) return invalid(payer.failure.field === "payer.taxId" ? "payer.taxId" : "payer.name")
  return [...payer.success.name].length > maxNameLength ? invalid("payer.name") : Result.succeed(payer.success)
}

const parseAmounts = ({ amountCents, floorCents }: RecurrenceRequestInput) => {
  if (amountCents !== undefined && !isChargeCents(amountCents)) return invalid("amountCents")
  if (floorCents === undefined) return Result.succeed(amountCents === undefined ? {} : { amountCents })
  return amountCents === undefined && isChargeCents(floorCents) ? Result.succeed({ floorCents }) : invalid("floorCents")
}

const parseRetryOn = ({
  period,
  retries,
  retryOn,
}: RecurrenceRequestInput): Checked<Pick<RecurrenceTerms, "retryOn">> => {
  if (retryOn === undefined) return Result.succeed({})
  return retries === "threeInSeven" && isRetryOn(period, retryOn)
    ? Result.succeed({ retryOn: retryOn.toSorted((one, other) => one - other) })
    : invalid("retryOn")
}

const parseBankJourney = (input: JourneyInput & { readonly by: "bank" }): Checked<RequestedJourney> => {
  const { branch, account } = input
  const ispb = typeof input.ispb === "string" ? input.ispb.toUpperCase() : ""
  if (!ispbForm.test(ispb)) return invalid("journey.ispb")
  if (branch !== undefined && !matches(branchForm, branch)) return invalid("journey.branch")
  if (!matches(accountForm, account)) return invalid("journey.account")
  const until = parseMoment(input.until)
  if (until === undefined) return invalid("journey.until")
  return Result.succeed({ by: "bank", ispb, ...(branch !== undefined && { branch }), account, until })
}

const parseCodeJourney = ({ until: given }: JourneyInput & { readonly by: "code" }): Checked<RequestedJourney> => {
  if (given === undefined) return Result.succeed({ by: "code" })
  const until = parseMoment(given)
  return until === undefined ? invalid("journey.until") : Result.succeed({ by: "code", until })
}

const parseJourney = (input: JourneyInput): Checked<RequestedJourney> => {
  const given = Object(input) as JourneyInput
  switch (given.by) {
    case "code":
      return parseCodeJourney(given)
    case "bank":
      return parseBankJourney(given)
    case "payment":
      return Result.mapBoth(parseChargeRequest(given.charge), {
        onSuccess: (charge) => ({ by: "payment", charge }) as const,
        onFailure: ({ field }) => new InvalidRecurrenceRequest({ field: `journey.charge.${field}` }),
      })
    default:
      return invalid("journey")
  }
}

/**
 * Checks the shape of a request; the error names the first broken rule.
 *
 * @example
 * ```ts
 * import { parseRecurrenceRequest } from "@pixcharge/core/recurrence"
 * import * as Result from "effect/Result"
 *
 * const request = parseRecurrenceRequest({
 *   id: "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c",
 *   payer: { name: "Ana Souza", taxId: "529.982.247-25" },
 *   title: "Academia",
 *   period: "monthly",
 *   startDate: "2027-02-29",
 *   amountCents: 4990,
 *   journey: { by: "code" },
 * })
 * Result.isFailure(request) && request.failure.field // => "startDate"
 * ```
 */
export const parseRecurrenceRequest = (input: RecurrenceRequestInput): Checked<RecurrenceRequest> =>
  Result.gen(function* () {
    const given = Object(input) as RecurrenceRequestInput
    const { period, retries = "none" } = given
    const id = yield* Result.mapError(parseRecurrenceId(given.id), () => new InvalidRecurrenceRequest({ field: "id" }))
    const contract = yield* parseText(
      "contract",
      given.contract === undefined ? id.replaceAll("-", "") : given.contract,
    )
    const payer = yield* parseDebtor(given.payer)
    const title = yield* parseText("title", given.title)
    if (!isPeriod(period)) return yield* invalid("period")
    const startDate = yield* parseDay("startDate", given.startDate)
    if (startDate >= "3000") return yield* invalid("startDate")
    const endDate = given.endDate === undefined ? undefined : yield* parseDay("endDate", given.endDate)
    if (endDate !== undefined && endDate < startDate) return yield* invalid("endDate")
    const amounts = yield* parseAmounts(given)
    if (retries !== "none" && retries !== "threeInSeven") return yield* invalid("retries")
    const retryOn = yield* parseRetryOn(given)
    const journey = yield* parseJourney(given.journey)
    const ends = endDate === undefined ? {} : { endDate }
    return { id, contract, payer, title, period, startDate, ...ends, ...amounts, retries, ...retryOn, journey }
  })

const isoForm = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/** Checks the day separately, because runtimes read 30 February as 2 March. */
const isMoment = (text: string): boolean => Result.isSuccess(parseLocalDate(isoForm.exec(text)?.[1] ?? ""))

const readIso = (text: string): number | undefined =>
  isMoment(text) ? Option.getOrUndefined(Option.map(DateTime.make(text), DateTime.toEpochMillis)) : undefined

/** In epoch milliseconds. */
const parseMoment = (moment: string | Date): number | undefined => {
  if (typeof moment === "string") return readIso(moment)
  // `instanceof` fails for a `Date` of another realm.
  const at = typeof moment?.getTime === "function" ? moment.getTime() : Number.NaN
  return Number.isSafeInteger(at) ? at : undefined
}
