import * as Result from "effect/Result"
import type { BrCode, DynamicBrCode, RecurrenceBrCode, StaticBrCode } from "../model/brcode/BrCode.ts"
import * as Decode from "../model/brcode/decodeBrCode.ts"
import * as Encode from "../model/brcode/encodeBrCode.ts"
import type { InvalidBrCode } from "../model/brcode/InvalidBrCode.ts"
import * as Key from "../model/brcode/PixKey.ts"
import { type InvalidAmount, parseCents } from "../model/money/Money.ts"
import type { InvalidOption } from "../runtime/options.ts"
import { knowNames, rule } from "./Rule.ts"

/** A BR Code in plain values. */
export type PlainBrCode =
  | (Omit<StaticBrCode, "amountCents"> & { readonly amountCents?: number })
  | DynamicBrCode
  | RecurrenceBrCode

const merchantNames = [
  "merchantName",
  "merchantCity",
  "postalCode",
  "merchantCategoryCode",
  "pointOfInitiation",
] as const

const names = {
  Static: ["_tag", ...merchantNames, "key", "description", "facilitator", "amountCents", "txid", "recurrenceUrl"],
  Dynamic: ["_tag", ...merchantNames, "url", "recurrenceUrl"],
  Recurrence: ["_tag", ...merchantNames, "recurrenceUrl"],
} as const

const checkAmount = (code: PlainBrCode): Result.Result<BrCode, InvalidAmount> => {
  if (code._tag !== "Static") return Result.succeed(code)
  const { amountCents, ...others } = code
  return amountCents === undefined
    ? Result.succeed(others)
    : Result.map(parseCents(amountCents), (cents) => ({ ...others, amountCents: cents }))
}

/**
 * Writes a BR Code, the text of a QR image and of Pix Copia e Cola. Errors: `InvalidBrCode`, `InvalidAmount`, and `InvalidOption`
 * for an unknown field.
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
  (code: PlainBrCode): Result.Result<string, InvalidBrCode | InvalidAmount | InvalidOption> =>
    Result.gen(function* () {
      const known = yield* knowNames("encodeBrCode", code, names[code._tag] ?? [])
      return yield* Encode.encodeBrCode(yield* checkAmount(known))
    }),
)

/** Reads a BR Code; `lenient` accepts and reports known mistakes of banks. Error: `InvalidBrCode`. */
export const decodeBrCode = /* @__PURE__ */ rule(Decode.decodeBrCode)

/** Parses a Pix key to its form in the DICT, and finds its kind. Error: `InvalidPixKey`. */
export const parsePixKey = /* @__PURE__ */ rule(Key.parsePixKey)
