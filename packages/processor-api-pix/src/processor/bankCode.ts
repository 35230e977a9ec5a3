import { decodeBrCode, encodeBrCode, fitMerchant } from "@pixcharge/core/brcode"
import type { Company } from "@pixcharge/core/party"
import type { Journey } from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import type { PspWays } from "../profiles/PspProfile.ts"
import type { PspCharge } from "../wire/Cob.ts"
import type { PspRecurrence } from "../wire/Rec.ts"

/** Upper and lower case count as equal in host names, but not in paths. */
const hasSameLocation = (a: string, b: string): boolean => {
  const [hostA = "", hostB = ""] = [a.split("/", 1)[0], b.split("/", 1)[0]]
  return hostA.toLowerCase() === hostB.toLowerCase() && a.slice(hostA.length) === b.slice(hostB.length)
}

const checkCode = (brCode: string, location: string | undefined): Result.Result<string, string> => {
  const decoded = decodeBrCode(brCode, "lenient")
  if (Result.isFailure(decoded)) return Result.fail(`its code breaks a rule: ${decoded.failure.message}`)
  const { code } = decoded.success
  if (code._tag !== "Dynamic") return Result.fail("its code is not dynamic")
  if (location !== undefined && !hasSameLocation(code.url, location)) {
    return Result.fail("its code points elsewhere than its location")
  }
  return Result.succeed(brCode)
}

/** The bank's checked code, or our own for the charge's location. The failure is a sentence for people. */
export const chargeBrCode = (
  { brCode, location }: PspCharge,
  company: Company,
  { codeLocation }: Pick<PspWays, "codeLocation">,
): Result.Result<string, string> => {
  const payable = codeLocation === "same" ? location : undefined
  if (brCode !== undefined) return checkCode(brCode, payable)
  if (payable === undefined) return Result.fail("it has neither a code nor a location that makes one")
  return Result.mapError(
    encodeBrCode({ _tag: "Dynamic", url: payable, pointOfInitiation: "singleUse", ...fitMerchant(company) }),
    ({ message }) => `no code can be made of its location: ${message}`,
  )
}

/** The bank's code if it offers this recurrence, and asks for a payment exactly if the journey does. */
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
