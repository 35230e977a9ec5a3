import type * as Effect from "effect/Effect"
import type { ChargeId } from "../charge/ChargeId.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import { safeSpan } from "../telemetry/index.ts"
import type { PixCharges } from "./PixCharges.ts"

/** The operations, each within a span that names the company, and the charge where one is named: never who pays. */
export const traceCharges = (charges: PixCharges["Service"]): PixCharges["Service"] => {
  const span = (operation: string, issuer: Cnpj, id?: ChargeId) =>
    safeSpan(`pix.charge.${operation}`, { issuer, ...(id !== undefined && { "charge.id": id }) })
  const onCharge =
    <A, E>(operation: string, carryOut: (issuer: Cnpj, id: ChargeId) => Effect.Effect<A, E>) =>
    (issuer: Cnpj, id: ChargeId): Effect.Effect<A, E> =>
      span(operation, issuer, id)(carryOut(issuer, id))
  return {
    ...charges,
    issue: (issuer, request) => span("issue", issuer, request.id)(charges.issue(issuer, request)),
    find: onCharge("find", charges.find),
    cancel: onCharge("cancel", charges.cancel),
    refund: onCharge("refund", charges.refund),
    confirmPayment: (notice) => span("confirmPayment", notice.issuer)(charges.confirmPayment(notice)),
  }
}
