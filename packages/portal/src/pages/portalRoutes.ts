import type { PortalRoute } from "../frame/PortalRoute.ts"
import { auditRoutes } from "./audit/auditRoutes.ts"
import { chargeRoutes } from "./charges/chargeRoutes.ts"
import { dashboardRoutes } from "./dashboard/dashboardRoutes.ts"
import { deliveryRoutes } from "./deliveries/deliveryRoutes.ts"
import { endpointRoutes } from "./endpoints/endpointRoutes.ts"
import { exceptionRoutes } from "./exceptions/exceptionRoutes.ts"
import { payerRoutes } from "./payers/payerRoutes.ts"
import { recurrenceRoutes } from "./recurrences/recurrenceRoutes.ts"
import { reconciliationRoutes } from "./reconciliation/reconciliationRoutes.ts"

const always: ReadonlyArray<PortalRoute> = [
  ...dashboardRoutes,
  ...chargeRoutes,
  ...exceptionRoutes,
  ...deliveryRoutes,
  ...endpointRoutes,
  ...reconciliationRoutes,
  ...payerRoutes,
  ...auditRoutes,
]

/** Every page and form of a portal below its company. */
export const portalRoutes = ({ hasRecurrences }: { readonly hasRecurrences: boolean }): ReadonlyArray<PortalRoute> =>
  hasRecurrences ? [...always, ...recurrenceRoutes] : always
