import type { PortalRoute } from "../../frame/PortalRoute.ts"

export const chargeRoutes: ReadonlyArray<PortalRoute> = []
