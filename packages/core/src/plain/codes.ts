import * as Result from "effect/Result"
import type { BrCode, DynamicBrCode, RecurrenceBrCode, StaticBrCode } from "../brcode/BrCode.ts"
import * as Decode from "../brcode/decodeBrCode.ts"
import * as Encode from "../brcode/encodeBrCode.ts"
import type { InvalidBrCode } from "../brcode/InvalidBrCode.ts"
import * as Key from "../brcode/PixKey.ts"
import { type InvalidAmount, parseCents } from "../money/Money.ts"
import { rule } from "./Rule.ts"

/** A BR Code in plain values: the amount of a static code is any number, and checked. */
export type PlainBrCode =
  | (Omit<StaticBrCode, "amountCents"> & { readonly amountCents?: number })
  | DynamicBrCode
  | RecurrenceBrCode

const checkAmount = (code: PlainBrCode): Result.Result<BrCode, InvalidAmount> => {
  if (code._tag !== "Static") return Result.succeed(code)
  const { amountCents, ...others } = code
  return amountCents === undefined
    ? Result.succeed(others)
    : Result.map(parseCents(amountCents), (cents) => ({ ...others, amountCents: cents }))
}

/**
 * Writes a BR Code, the text of QR image and Pix Copia e Cola. Errors: `InvalidBrCode`, `InvalidAmount`.
 *
 * @example
 * ```ts
 * import { encodeBrCode } from "@pixcharge/core/plain"
 *
 * const code = encodeBrCode({
 *   _tag: "Static",
 *   merchantName: "Padaria",
 *   merchantCity: "Recife",
 *   key: "a@example.com",
 *   amountCents: 1990,
 * })
 * code.slice(-8) // => "63048014"
 * ```
 */
export const encodeBrCode = /* @__PURE__ */ rule(
  (code: PlainBrCode): Result.Result<string, InvalidBrCode | InvalidAmount> =>
    Result.flatMap(checkAmount(code), Encode.encodeBrCode),
)

/** Reads a BR Code; `lenient` also takes, and reports, what banks did write against the rules. Error: `InvalidBrCode`. */
export const decodeBrCode = /* @__PURE__ */ rule(Decode.decodeBrCode)

/** A Pix key in the form in which the DICT registers keys, and its kind. Error: `InvalidPixKey`. */
export const parsePixKey = /* @__PURE__ */ rule(Key.parsePixKey)
