import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"

declare const brand: unique symbol

/** A whole number of centavos, zero or more. */
export type Cents = number & { readonly [brand]: "Cents" }

/** The smallest amount of a charge: R$ 0,01 (decision 7). */
export const minimumChargeCents = 1 as Cents

/** The largest amount of a charge: R$ 9.999.999.999,99, the ten digits of API Pix's `\d{1,10}\.\d{2}` (decision 7). */
export const maximumChargeCents = 999_999_999_999 as Cents

export const isChargeCents = (value: number): value is Cents =>
  Number.isSafeInteger(value) && value >= minimumChargeCents && value <= maximumChargeCents

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
 * @repeat No, only with another amount.
 */
export class InvalidAmount extends TaggedError("InvalidAmount")<{ readonly reason: InvalidAmountReason }> {
  override get message(): string {
    return `An amount ${explanations[this.reason]}.`
  }
}

const refuse = (reason: InvalidAmountReason) => Result.fail(new InvalidAmount({ reason }))

/** Whether a number is whole, not negative and below 2^53. */
export const isCents = (value: number): value is Cents => Number.isSafeInteger(value) && value >= 0

/**
 * Parses a whole number of centavos from 0 to 2^53 - 1.
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

/** Below this, neighbouring numbers differ by less than a centavo. */
const exactReaisEnd = 2 ** 46

const plain = /^(\d+)(?:\.(\d+))?$/

/**
 * Converts reais to centavos exactly, or refuses them: 19.9 is 1990, and 1.005 is refused (decision 7). The maximum is 2^46
 * reais, because larger JSON numbers are more than a centavo apart.
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
  // A number below 1e-6 has an exponent in its text.
  if (match === null) return refuse("tooManyDecimals")
  const decimals = match[2] ?? ""
  if (decimals.length > 2) return refuse("tooManyDecimals")
  return Result.succeed(Number(`${match[1]}${decimals.padEnd(2, "0")}`) as Cents)
}

/** Centavos as a JSON number of reais: 1990 is 19.9. */
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

/** Parses an API Pix amount (`\d{1,10}\.\d{2}`) to centavos. */
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
