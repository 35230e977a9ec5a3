import type { PortalRoute } from "../frame/PortalRoute.ts"
import { auditRoutes } from "./audit.ts"
import { cancelRoutes } from "./charges/cancelCharge.ts"
import { changeRoutes } from "./charges/changeCharge.ts"
import { listRoutes } from "./charges/chargeList.ts"
import { chargePageRoutes } from "./charges/chargePage.ts"
import { exportRoutes } from "./charges/exportCharges.ts"
import { issueRoutes } from "./charges/issueCharge.ts"
import { refundRoutes } from "./charges/refundCharge.ts"
import { dashboardRoutes } from "./dashboard/dashboard.ts"
import { deliveryListRoutes } from "./deliveries/deliveryList.ts"
import { deliveryPageRoutes } from "./deliveries/deliveryPage.ts"
import { replayRoutes } from "./deliveries/replay.ts"
import { endpointRoutes } from "./endpoints.ts"
import { exceptionListRoutes } from "./exceptions/exceptionList.ts"
import { exceptionRoutes } from "./exceptions/exceptionPage.ts"
import { payerRoutes } from "./payers.ts"
import { reconciliationRoutes } from "./reconciliation.ts"
import { recurrenceRoutes } from "./recurrences/recurrenceActions.ts"
import { recurrenceListRoutes } from "./recurrences/recurrenceList.ts"
import { recurrencePageRoutes } from "./recurrences/recurrencePage.ts"

const chargeRoutes: ReadonlyArray<PortalRoute> = [
  ...listRoutes,
  ...exportRoutes,
  ...issueRoutes,
  ...chargePageRoutes,
  ...refundRoutes,
  ...changeRoutes,
  ...cancelRoutes,
]

const always: ReadonlyArray<PortalRoute> = [
  ...dashboardRoutes,
  ...chargeRoutes,
  ...exceptionListRoutes,
  ...exceptionRoutes,
  ...deliveryListRoutes,
  ...replayRoutes,
  ...deliveryPageRoutes,
  ...endpointRoutes,
  ...reconciliationRoutes,
  ...payerRoutes,
  ...auditRoutes,
]

export const portalRoutes = ({ hasRecurrences }: { readonly hasRecurrences: boolean }): ReadonlyArray<PortalRoute> =>
  hasRecurrences ? [...always, ...recurrenceListRoutes, ...recurrencePageRoutes, ...recurrenceRoutes] : always
