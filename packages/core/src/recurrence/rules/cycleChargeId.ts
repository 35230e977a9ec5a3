import type { ChargeId } from "../../charges/rules/ChargeId.ts"
import { sha256 } from "../../charges/rules/sha256.ts"
import type { RecurrenceTerms } from "./Recurrence.ts"

const variants = "89ab"

/**
 * The id of a cycle's charge, a UUID of version 8: it follows from company, recurrence, cycle and generation. Two processes, a
 * crash and books restored from a backup all arrive at one id, and so at one txid, which the bank takes once.
 *
 * `generation` counts from 1, and moves on only after the bank has confirmed that the charge before is cancelled or rejected.
 */
export const cycleChargeId = (
  { issuer, id }: Pick<RecurrenceTerms, "issuer" | "id">,
  cycle: number,
  generation: number,
): ChargeId => {
  const hex = sha256(`${issuer}/${id}/${cycle}/${generation}`)
  const variant = variants.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}` as ChargeId
}

/** Whether an id can be that of a cycle's charge, by its form alone; a host may have given any charge of its own such an id. */
export const mayBeCycleCharge = (id: ChargeId): boolean => id.charAt(14) === "8"
