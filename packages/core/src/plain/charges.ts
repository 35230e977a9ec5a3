import * as Result from "effect/Result"
import * as Id from "../model/charge/ChargeId.ts"
import { immediateLifetimeSeconds, InvalidChargeRequest } from "../model/charge/ChargeRequest.ts"
import * as Expiry from "../model/charge/Expiry.ts"
import * as LateFees from "../model/charge/LateFees.ts"
import {
  type ChargeFeesInput,
  chargeFees as feesAtIssue,
  hasPassedDate,
  parseChargeFees,
} from "../model/charge/RequestedTerms.ts"
import { nationalBankHolidays } from "../model/calendar/Holidays.ts"
import type { InvalidLocalDate } from "../model/calendar/LocalDate.ts"
import { type FeesInput, InvalidFees, parseFees as parseFeesInput } from "../model/money/Fees.ts"
import { type InvalidAmount, parseCents } from "../model/money/Money.ts"
import { parseCnpj } from "../model/party/Cnpj.ts"
import type { InvalidOption } from "../runtime/options.ts"
import { knowNames, parseDate, parseHolidays, rule, whole } from "./Rule.ts"

export interface ImmediateCharge {
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly dueDate?: undefined
  /** How long the charge is payable, in seconds; by default 600. */
  readonly payableForSeconds?: number
}

export interface DueCharge {
  /** `YYYY-MM-DD` as requested; `chargeExpiry` moves it to a business day. */
  readonly dueDate: string
  /** Calendar days after the moved due date. */
  readonly graceDays: number
  /** Closed days besides the national bank holidays. */
  readonly localHolidays?: ReadonlyArray<string>
}

/**
 * Until when a charge is payable, and until when to watch for its payment. Errors: `InvalidLocalDate`, and `InvalidOption` for an
 * unknown field.
 *
 * @example
 * ```ts
 * import { chargeExpiry } from "@pixcharge/core/plain"
 *
 * chargeExpiry({ dueDate: "2026-11-22", graceDays: 5 }).lastDay // => "2026-11-28"
 * ```
 */
export const chargeExpiry = /* @__PURE__ */ rule(
  (charge: ImmediateCharge | DueCharge): Result.Result<Expiry.Expiry, InvalidLocalDate | InvalidOption> =>
    charge.dueDate === undefined ? immediateExpiry(charge) : dueExpiry(charge),
)

const immediateExpiry = (charge: ImmediateCharge) =>
  Result.map(
    knowNames("chargeExpiry", charge, ["createdAt", "dueDate", "payableForSeconds"]),
    ({ createdAt, payableForSeconds = immediateLifetimeSeconds }) =>
      Expiry.chargeExpiry({
        payableForSeconds: whole("payableForSeconds", payableForSeconds),
        createdAt: whole("createdAt of a charge without a due date", createdAt),
        graceDays: 0,
        holidays: nationalBankHolidays,
      }),
  )

const dueExpiry = (charge: DueCharge) =>
  Result.gen(function* () {
    const known = ["dueDate", "graceDays", "localHolidays"] as const
    const { dueDate, graceDays, localHolidays } = yield* knowNames("chargeExpiry", charge, known)
    return Expiry.chargeExpiry({
      createdAt: 0,
      dueDate: yield* parseDate(dueDate),
      graceDays,
      holidays: yield* parseHolidays(localHolidays),
    })
  })

/** Terms that determine the amount due. */
export interface PlainAmountTerms {
  readonly amountCents: number
  /** `YYYY-MM-DD` as requested; absent for an immediate charge, which has no fees. */
  readonly dueDate?: string | undefined
  readonly fees?: FeesInput | undefined
}

const parts = ["fine", "interest", "abatement", "discount"] as const

const parseKnownFees = (fees: FeesInput) => Result.flatMap(knowNames("fees", fees, parts), parseFeesInput)

const parseTerms = (caller: string, terms: PlainAmountTerms) =>
  Result.gen(function* () {
    const { amountCents, dueDate, fees } = yield* knowNames(caller, terms, ["amountCents", "dueDate", "fees"])
    return {
      amountCents: yield* parseCents(amountCents),
      ...(dueDate !== undefined && { dueDate: yield* parseDate(dueDate) }),
      ...(fees !== undefined && { fees: yield* parseKnownFees(fees) }),
    }
  })

type TermsError = InvalidAmount | InvalidLocalDate | InvalidFees | InvalidOption

/**
 * The amount due on a day of payment, and its parts, in centavos. Errors: `InvalidAmount`, `InvalidLocalDate`, `InvalidFees`, and
 * `InvalidOption` for an unknown field.
 *
 * @example
 * ```ts
 * import { amountDueOn } from "@pixcharge/core/plain"
 *
 * const fees = { fine: { kind: "percent", basisPoints: 200 } } as const
 * amountDueOn({ amountCents: 10000, dueDate: "2026-11-23", fees }, "2026-11-24").totalCents // => 10200
 * ```
 */
export const amountDueOn = /* @__PURE__ */ rule(
  (
    terms: PlainAmountTerms,
    date: string,
    localHolidays?: ReadonlyArray<string>,
  ): Result.Result<LateFees.AmountDue, TermsError> =>
    Result.gen(function* () {
      const [day, holidays] = [yield* parseDate(date), yield* parseHolidays(localHolidays)]
      return LateFees.amountDueOn(yield* parseTerms("amountDueOn", terms), day, holidays)
    }),
)

/**
 * Refuses an abatement and a discount that leave no amount to pay on some day since issue. Errors: `InvalidFees`,
 * `InvalidAmount`, `InvalidLocalDate`, `InvalidOption`.
 */
export const checkReductions = /* @__PURE__ */ rule(
  (terms: PlainAmountTerms, issuedOn: string, localHolidays?: ReadonlyArray<string>): Result.Result<void, TermsError> =>
    Result.gen(function* () {
      const [day, holidays] = [yield* parseDate(issuedOn), yield* parseHolidays(localHolidays)]
      return yield* LateFees.checkReductions(yield* parseTerms("checkReductions", terms), day, holidays)
    }),
)

/** A due-date charge's fees. */
export interface PlainFeesTerms {
  /** `YYYY-MM-DD` as requested. */
  readonly dueDate: string
  /** The request's. */
  readonly fees?: ChargeFeesInput | "none" | undefined
  /** The company's. */
  readonly registered?: FeesInput | undefined
}

/**
 * A charge's fees at issue, for `amountDueOn`: each part is the request's, or else the registration's. Omits a discount's tiers
 * that have passed. Errors: `InvalidChargeRequest`, `InvalidFees`, `InvalidLocalDate`, `InvalidOption`.
 *
 * @example
 * ```ts
 * import { chargeFees } from "@pixcharge/core/plain"
 *
 * const registered = { fine: { kind: "percent", basisPoints: 200 } } as const
 * chargeFees({ dueDate: "2026-11-23", fees: { fine: "none" }, registered }, "2026-11-02") // => {}
 * ```
 */
export const chargeFees = /* @__PURE__ */ rule(
  (
    terms: PlainFeesTerms,
    issuedOn: string,
  ): Result.Result<FeesInput, InvalidChargeRequest | InvalidFees | InvalidLocalDate | InvalidOption> =>
    Result.gen(function* () {
      const given = yield* knowNames("chargeFees", terms, ["dueDate", "fees", "registered"])
      const [dueDate, day] = [yield* parseDate(given.dueDate), yield* parseDate(issuedOn)]
      const { fees = {} } = given
      if (typeof fees === "object" && fees !== null) yield* knowNames("fees", fees, parts)
      const requested = yield* Result.mapError(
        parseChargeFees(fees, dueDate),
        (field) => new InvalidChargeRequest({ field }),
      )
      if (requested !== undefined && hasPassedDate(requested, day)) {
        return yield* Result.fail(new InvalidFees({ field: "discount", reason: "passed", isRequested: true }))
      }
      const registered = given.registered && (yield* parseKnownFees(given.registered))
      return feesAtIssue({ requested, registered, dueDate }, day) ?? {}
    }),
)

/** Checks fees and sorts a discount's tiers by day. Errors: `InvalidFees`, `InvalidOption`. */
export const parseFees = /* @__PURE__ */ rule(parseKnownFees)

/** Parses a charge's id, a UUID, and returns it in lower case. Error: `InvalidChargeId`. */
export const parseChargeId = /* @__PURE__ */ rule(Id.parseChargeId)

/** A charge's txid at the bank, from the company's CNPJ and the charge's UUID. Errors: `InvalidTaxId`, `InvalidChargeId`. */
export const chargeTxid = /* @__PURE__ */ rule((issuer: string, id: string) =>
  Result.flatMap(parseCnpj(issuer), (cnpj) =>
    Result.map(Id.parseChargeId(id), (parsed) => Id.chargeTxid(cnpj, parsed)),
  ),
)
