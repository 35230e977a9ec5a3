import type { Cnpj } from "../party/Cnpj.ts"
import { TaggedError } from "../runtime/error/TaggedError.ts"

/**
 * A replay names neither an event, a charge nor a period: it would send everything again.
 *
 * @repeat No: with a selection.
 */
export class NothingSelected extends TaggedError("NothingSelected", {
  problem: "A replay without a selection would send every event again.",
  remedy: "Give `eventId`, `chargeId` or `period`.",
})<{ readonly issuer: Cnpj }> {}
