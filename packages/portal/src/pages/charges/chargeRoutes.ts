import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import { cancelRoutes } from "./cancelRoutes.ts"
import { chargePage } from "./chargePage.ts"
import { issueRoutes } from "../issuing/issueRoutes.ts"
import { exportRoutes } from "./exportRoutes.ts"
import { listRoutes } from "./listRoutes.ts"
import { refundRoutes } from "./refundRoutes.ts"

const section = "charges"

const pageRoutes: ReadonlyArray<PortalRoute> = [
  page("/cobrancas/:id", { section }, (view) => chargePage(view, view.params.id), {
    everyMs: 2_000,
    look: ({ pix, company, params }) => pix.story(company, params.id),
  }),
  action("/cobrancas/:id/pagador", { right: "payers", section }, async ({ as, company, params }) => {
    await as.payers.show(company, params.id)
    // No redirect: a second visit of such an address would show the payer without a record.
    return { page: (view) => chargePage(view, params.id, { isPayerShown: true }) }
  }),
]

/** Everything about charges. */
export const chargeRoutes: ReadonlyArray<PortalRoute> = [
  ...listRoutes,
  ...exportRoutes,
  ...issueRoutes,
  ...pageRoutes,
  ...refundRoutes,
  ...cancelRoutes,
]
