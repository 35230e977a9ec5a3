export type { Authorize, PortalAccess, PortalCompany, PortalRedirect, PortalVisit, Right } from "./frame/Access.ts"
export { portal, type PortalOptions } from "./portal.ts"
