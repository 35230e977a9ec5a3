import * as Result from "effect/Result"
import type { Charge } from "./Charge.ts"
import { type ChargeRequest, type InvalidChargeRequest, parseChargeRequest, requestedTerms } from "./ChargeRequest.ts"
import type { ChargeRequestInput } from "./ChargeRequestInput.ts"
import { payableForSeconds } from "./Expiry.ts"
import { InvalidChargeChange } from "./changeErrors.ts"
import { isHostKey } from "./hostKey.ts"

/** A host's change of an open charge, in plain values. Fields that it doesn't name stay as they are. */
export interface ChargeChange extends Omit<ChargeRequestInput, "id" | "amountCents"> {
  /** The caller's own name for the change, such as a UUID: 1 to 100 visible ASCII characters without spaces. */
  readonly key: string
  readonly amountCents?: number | undefined
}

export const parseChargeChange = (input: ChargeChange): Result.Result<ChargeChange, InvalidChargeChange> => {
  const change = { ...input }
  return isHostKey(change.key) ? Result.succeed(change) : Result.fail(new InvalidChargeChange({ field: "key" }))
}

/** The request for a new charge with these terms. */
export const toRequest = (charge: Charge): ChargeRequest => {
  const seconds = payableForSeconds(charge)
  return { ...requestedTerms(charge), ...(seconds !== undefined && { payableForSeconds: seconds }) }
}

/** Lays the named fields over the charge's terms. The charge keeps its kind, immediate or with a due date. */
export const changedRequest = (
  charge: Charge,
  { key: _, ...named }: ChargeChange,
): Result.Result<ChargeRequest, InvalidChargeRequest | InvalidChargeChange> => {
  if (charge.dueDate === undefined && named.dueDate !== undefined) {
    return Result.fail(new InvalidChargeChange({ field: "dueDate" }))
  }
  const { requested, ...terms } = toRequest(charge)
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
  return parseChargeRequest({ ...terms, ...requested, ...given, id: charge.id } as ChargeRequestInput)
}
