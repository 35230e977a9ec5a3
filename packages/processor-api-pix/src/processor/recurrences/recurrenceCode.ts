import { decodeBrCode } from "@pixcharge/core/brcode"
import type { Journey } from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import type { PspRecurrence } from "../../wire/Rec.ts"
import { hasSameLocation } from "../chargeBrCode.ts"

/**
 * The copy-and-paste code of a recurrence, handed out only if it offers this very one, and asks for a payment where its journey
 * does and nowhere else. The failure is a sentence for people.
 */
export const recurrenceCode = (
  { brCode = "", location }: PspRecurrence,
  { by }: Journey,
): Result.Result<string, string> => {
  const decoded = decodeBrCode(brCode, "lenient")
  if (Result.isFailure(decoded)) return Result.fail(`its code breaks a rule: ${decoded.failure.message}`)
  const { code } = decoded.success
  if (code.recurrenceUrl === undefined) return Result.fail("its code offers no recurrence")
  if ((code._tag === "Recurrence") !== (by === "code")) {
    return Result.fail(by === "code" ? "its code asks for a payment, too" : "its code asks for no payment")
  }
  return location === undefined || hasSameLocation(code.recurrenceUrl, location)
    ? Result.succeed(brCode)
    : Result.fail("its code points elsewhere than its location")
}
