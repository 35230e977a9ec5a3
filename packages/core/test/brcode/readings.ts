import {
  type BrCode,
  type BrCodeReading,
  type DecodedBrCode,
  decodeBrCode,
  encodeBrCode,
  type InvalidBrCode,
} from "@pixcharge/core/brcode"
import * as Result from "effect/Result"

/** Fails unless the text can be read. */
export const read = (text: string, reading?: BrCodeReading): DecodedBrCode =>
  Result.getOrThrow(decodeBrCode(text, reading))

export const write = (code: BrCode): string => Result.getOrThrow(encodeBrCode(code))

const fieldAndRule = (result: Result.Result<unknown, InvalidBrCode>): string =>
  Result.isFailure(result) ? `${result.failure.field} ${result.failure.rule}` : "nothing"

/** Field and rule of the first flaw, such as `"54 amount"`; `"nothing"` for a valid text. */
export const flawIn = (text: string, reading?: BrCodeReading): string => fieldAndRule(decodeBrCode(text, reading))

/** Field and rule of the first flaw that `encodeBrCode` finds in a value. */
export const brokenRule = (code: unknown): string => fieldAndRule(encodeBrCode(code as BrCode))
