import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import { cancelRoutes } from "./cancelRoutes.ts"
import { chargePage } from "./chargePage.ts"
import { listRoutes } from "./listRoutes.ts"
import { refundRoutes } from "./refundRoutes.ts"

const section = "charges"

const pageRoutes: ReadonlyArray<PortalRoute> = [
  page("/cobrancas/:id", { section }, (view) => chargePage(view, view.params.id)),
  action("/cobrancas/:id/pagador", { right: "payers", section }, async ({ as, company, params }) => {
    const payer = await as.payers.show(company, params.id)
    // The answer is the page itself: a payer must stand in no URL, and the page after a redirect would show one unrecorded.
    return { page: (view) => chargePage(view, params.id, payer) }
  }),
]

/** Everything about charges. */
export const chargeRoutes: ReadonlyArray<PortalRoute> = [...listRoutes, ...pageRoutes, ...refundRoutes, ...cancelRoutes]
