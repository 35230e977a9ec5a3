import {
  type BrCode,
  type BrCodeReading,
  type DecodedBrCode,
  decodeBrCode,
  encodeBrCode,
  type InvalidBrCode,
} from "@pixcharge/core/brcode"
import * as Result from "effect/Result"

/** What a reading gives, where it must succeed. */
export const read = (text: string, reading?: BrCodeReading): DecodedBrCode =>
  Result.getOrThrow(decodeBrCode(text, reading))

/** What writing gives, where it must succeed. */
export const write = (code: BrCode): string => Result.getOrThrow(encodeBrCode(code))

const fieldAndRule = (result: Result.Result<unknown, InvalidBrCode>): string =>
  Result.isFailure(result) ? `${result.failure.field} ${result.failure.rule}` : "nothing"

/** Field and rule of what keeps a text from being read, `"54 amount"`; `"nothing"` if it is read. */
export const flawIn = (text: string, reading?: BrCodeReading): string => fieldAndRule(decodeBrCode(text, reading))

/** Field and rule of what keeps a value from being written; anything may be passed, as from JavaScript. */
export const brokenRule = (code: unknown): string => fieldAndRule(encodeBrCode(code as BrCode))
