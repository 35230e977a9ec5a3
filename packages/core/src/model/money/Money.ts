import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"

declare const brand: unique symbol

/** Money is a whole number of centavos, zero or more, never a fraction of a real. */
export type Cents = number & { readonly [brand]: "Cents" }

/** The smallest amount of a charge: R$ 0,01 (decision 7). */
export const minimumChargeCents = 1 as Cents

/** The largest amount of a charge: R$ 9.999.999.999,99, the ten digits of the central bank's `\d{1,10}\.\d{2}` (decision 7). */
export const maximumChargeCents = 999_999_999_999 as Cents

/** Whether a charge can have this amount: whole centavos from `minimumChargeCents` to `maximumChargeCents` (decision 7). */
export const isChargeCents = (value: number): value is Cents =>
  Number.isSafeInteger(value) && value >= minimumChargeCents && value <= maximumChargeCents

/** Why a number or a text is no amount of money. */
export type InvalidAmountReason = "notANumber" | "negative" | "tooManyDecimals" | "tooLarge" | "notWhole" | "malformed"

const explanations: Record<InvalidAmountReason, string> = {
  notANumber: "must be a finite number",
  negative: "must not be negative",
  tooManyDecimals: "has at most two decimals",
  tooLarge: "must stay below 2^46 reais, beyond which numbers lie more than a centavo apart",
  notWhole: "in centavos is a whole number below 2^53: R$ 19,90 is 1990",
  malformed: "is written as digits, a point and two decimals",
}

/**
 * A number or a text that is no exact amount of money; `reason` says why.
 *
 * @remedy Give an amount with two decimals at most; never round in between.
 * @repeat No: with another amount.
 */
export class InvalidAmount extends TaggedError("InvalidAmount")<{ readonly reason: InvalidAmountReason }> {
  override get message(): string {
    return `An amount ${explanations[this.reason]}.`
  }
}

const refuse = (reason: InvalidAmountReason) => Result.fail(new InvalidAmount({ reason }))

/** Whether a number is a whole, non-negative, exactly representable number of centavos. */
export const isCents = (value: number): value is Cents => Number.isSafeInteger(value) && value >= 0

/**
 * A number becomes centavos if it is whole, not negative and exactly representable; see `isCents`.
 *
 * @example
 * ```ts
 * import { parseCents } from "@pixcharge/core/money"
 * import * as Result from "effect/Result"
 *
 * Result.getOrThrow(parseCents(1990)) // => 1990
 * Result.isFailure(parseCents(19.9)) // => true
 * ```
 */
export const parseCents = (value: number): Result.Result<Cents, InvalidAmount> => {
  // -0 is 0.
  if (isCents(value)) return Result.succeed((value + 0) as Cents)
  if (!Number.isFinite(value)) return refuse("notANumber")
  return refuse(value < 0 ? "negative" : "notWhole")
}

/** Neighbouring numbers below it differ by less than a centavo. */
const exactReaisEnd = 2 ** 46

const plain = /^(\d+)(?:\.(\d+))?$/

/**
 * Reais become centavos exactly or not at all: the number is read by its shortest decimal text, which is what
 * the JSON said, so 19.9 is 1990 centavos and 1.005 is refused instead of rounded (decision 7).
 *
 * It ends at 2^46 reais: from there on JSON numbers lie more than a centavo apart, so that the text is lost before it gets
 * here. The limits of a charge are `minimumChargeCents` and `maximumChargeCents`.
 *
 * @example
 * ```ts
 * import { centsFromReais } from "@pixcharge/core/money"
 * import * as Result from "effect/Result"
 *
 * Result.getOrThrow(centsFromReais(19.9)) // => 1990
 * Result.isFailure(centsFromReais(1.005)) // => true
 * ```
 */
export const centsFromReais = (reais: number): Result.Result<Cents, InvalidAmount> => {
  if (!Number.isFinite(reais)) return refuse("notANumber")
  if (reais < 0) return refuse("negative")
  if (reais >= exactReaisEnd) return refuse("tooLarge")
  const match = plain.exec(String(reais))
  // A text with an exponent is a number below 1e-6.
  if (match === null) return refuse("tooManyDecimals")
  const decimals = match[2] ?? ""
  if (decimals.length > 2) return refuse("tooManyDecimals")
  return Result.succeed(Number(`${match[1]}${decimals.padEnd(2, "0")}`) as Cents)
}

/** Centavos become the JSON number nearest to them in reais, whose text shows them exactly: 1990 is 19.9. */
export const reaisFromCents = (cents: Cents): number => cents / 100

/**
 * Centavos as API Pix writes them: 199000 is "1990.00" (`\d{1,10}\.\d{2}` up to `maximumChargeCents`).
 *
 * @example
 * ```ts
 * import { type Cents, decimalFromCents } from "@pixcharge/core/money"
 *
 * decimalFromCents(199000 as Cents) // => "1990.00"
 * ```
 */
export const decimalFromCents = (cents: Cents): string => {
  const digits = String(cents).padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const decimal = /^\d{1,10}\.\d{2}$/

/** An API Pix amount (`\d{1,10}\.\d{2}`) in centavos; nothing else is read, no comma and no missing decimals. */
export const centsFromDecimal = (text: string): Result.Result<Cents, InvalidAmount> =>
  decimal.test(text) ? Result.succeed(Number(text.replace(".", "")) as Cents) : refuse("malformed")

/**
 * Centavos as Brazilians write reais, with an ordinary space: 123456 is "R$ 1.234,56".
 *
 * @example
 * ```ts
 * import { type Cents, formatBrl } from "@pixcharge/core/money"
 *
 * formatBrl(123456 as Cents) // => "R$ 1.234,56"
 * ```
 */
export const formatBrl = (cents: Cents): string => {
  const digits = String(cents).padStart(3, "0")
  const whole = digits.slice(0, -2).replace(/\B(?=(?:\d{3}){1,7}$)/g, ".")
  return `R$ ${whole},${digits.slice(-2)}`
}
