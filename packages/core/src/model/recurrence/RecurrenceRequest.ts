import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"
import { type LocalDate, parseLocalDate } from "../calendar/LocalDate.ts"
import {
  type ChargeRequest,
  type ChargeRequestField,
  type ChargeRequestInput,
  chargeRequestRules,
  parseChargeRequest,
  parsePayer,
  parseShownText,
  shownCharacters,
} from "../charge/ChargeRequest.ts"
import { parseRecurrenceId } from "../cycle/RecurrenceId.ts"
import { isPeriod, type RecurrencePeriod } from "../cycle/cycles.ts"
import { isChargeCents } from "../money/Money.ts"
import type { Payer } from "../party/Company.ts"
import type { Journey, RecurrenceTerms } from "./Recurrence.ts"

/** How the payer is to be asked, in plain values. */
export type JourneyInput =
  /** By a request in the app of the payer's bank, which is open until a moment. */
  | {
      readonly by: "bank"
      /** The ISPB of the payer's bank: eight letters or digits. */
      readonly ispb: string
      /** Up to four digits. */
      readonly branch?: string | undefined
      /** Up to 20 letters and digits. */
      readonly account: string
      /** ISO 8601 with a zone, or a `Date`; less than 30 days ahead. */
      readonly until: string | Date
    }
  /** By a code that authorises, and pays nothing. */
  | {
      readonly by: "code"
      /** ISO 8601 with a zone, or a `Date`: until when it can be authorised; by default, and at most, 30 days ahead. */
      readonly until?: string | Date | undefined
    }
  /** By the code of a charge, which is paid with it: an immediate one, or one with a due date. */
  | { readonly by: "payment"; readonly charge: ChargeRequestInput }

/** What a host offers its payer, in plain values; `parseRecurrenceRequest` checks every rule of its shape. */
export interface RecurrenceRequestInput {
  /** Any UUID of the caller's making; it identifies the recurrence in every later call. */
  readonly id: string
  /** Names the contract to bank and payer: 1 to 35 characters of ISO 8859-1, unique within the company. By default the id without hyphens. */
  readonly contract?: string | undefined
  /** CPF or CNPJ, masked or not; a name of 1 to 140 characters. */
  readonly payer: { readonly name: string; readonly taxId: string }
  /** By which the payer recognises it: 1 to 35 characters of ISO 8859-1. */
  readonly title: string
  readonly period: RecurrencePeriod
  /** `YYYY-MM-DD`: the first day of the first cycle, from today in Brasília on. */
  readonly startDate: string
  /** `YYYY-MM-DD`: no cycle begins after it. Absent: without an end. */
  readonly endDate?: string | undefined
  /** What each cycle charges, in integer cents of reais. Absent: each cycle's amount is said when it is charged. */
  readonly amountCents?: number | undefined
  /** The least that the payer may set as a maximum, in integer cents of reais; only without `amountCents`. */
  readonly floorCents?: number | undefined
  /** Whether a debit that failed may be tried again on up to three of the seven days after it. By default `none`. */
  readonly retries?: RecurrenceTerms["retries"] | undefined
  readonly journey: JourneyInput
}

/** How the payer is to be asked, checked; the charge that is paid with it isn't issued yet. */
export type RequestedJourney =
  | Exclude<Journey, { readonly by: "payment" | "code" }>
  | { readonly by: "code"; readonly until?: number }
  | { readonly by: "payment"; readonly charge: ChargeRequest }

/** A request whose shape is right; whether it may be offered now is decided by `checkOffer`. */
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
  journey: 'must be { by: "code", until }, { by: "payment", charge } or { by: "bank", ispb, account, until }',
  "journey.ispb": "must have eight letters or digits",
  "journey.branch": "must have one to four digits, or be left out",
  "journey.account": "must have 1 to 20 letters and digits, with the check digit and without a hyphen",
  "journey.until": "must be a moment in ISO 8601 with a zone, like 2026-12-01T12:00:00Z, or a Date",
}

type OwnField = keyof typeof ownRules

/** The fields that a request can get wrong. */
export type RecurrenceRequestField = OwnField | `journey.charge.${ChargeRequestField}`

const rules: Record<string, string> = {
  ...ownRules,
  ...Object.fromEntries(Object.entries(chargeRequestRules).map(([field, rule]) => [`journey.charge.${field}`, rule])),
}

/**
 * A field of the request breaks its rule; the value itself is not repeated, because it may be a payer's.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No: with a corrected request.
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

/** API Pix: `vinculo.devedor.nome`, which is shorter than that of a charge. */
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
 * Every rule of a request's shape, the first broken one named.
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
    // Plain JavaScript may give anything, nothing too.
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
    const journey = yield* parseJourney(given.journey)
    const ends = endDate === undefined ? {} : { endDate }
    return { id, contract, payer, title, period, startDate, ...ends, ...amounts, retries, journey }
  })

/** With its zone, so that it is one instant everywhere. */
const isoForm = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/** Runtimes read 30 February as 2 March. */
const isMoment = (text: string): boolean => Result.isSuccess(parseLocalDate(isoForm.exec(text)?.[1] ?? ""))

const readIso = (text: string): number | undefined =>
  isMoment(text) ? Option.getOrUndefined(Option.map(DateTime.make(text), DateTime.toEpochMillis)) : undefined

/** A moment as hosts write it, in ISO 8601 with a zone or as a `Date`, in epoch milliseconds; undefined for anything else. */
const parseMoment = (moment: string | Date): number | undefined => {
  if (typeof moment === "string") return readIso(moment)
  // A Date of another realm, a test runner's for example, is no instance of this one's.
  const at = typeof moment?.getTime === "function" ? moment.getTime() : Number.NaN
  return Number.isSafeInteger(at) ? at : undefined
}
