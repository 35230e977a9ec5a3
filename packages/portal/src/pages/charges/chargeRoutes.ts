import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import { cancelRoutes } from "./cancelRoutes.ts"
import { chargePage } from "./chargePage.ts"
import { listRoutes } from "./listRoutes.ts"
import { refundRoutes } from "./refundRoutes.ts"

const section = "charges"

const pageRoutes: ReadonlyArray<PortalRoute> = [
  page("/cobrancas/:id", { section }, (view) => chargePage(view, view.params.id)),
  action("/cobrancas/:id/pagador", { right: "payers", section }, async ({ as, company, params }) => {
    await as.payers.show(company, params.id)
    // The answer is the page itself: after a redirect, another visit of its address would show the payer unrecorded.
    return { page: (view) => chargePage(view, params.id, { isPayerShown: true }) }
  }),
]

/** Everything about charges. */
export const chargeRoutes: ReadonlyArray<PortalRoute> = [...listRoutes, ...pageRoutes, ...refundRoutes, ...cancelRoutes]
