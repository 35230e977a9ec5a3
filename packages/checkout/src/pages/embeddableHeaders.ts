import { securityHeaders } from "@pixcharge/web"

/** Of what a merchant's own pages show as well. */
export const embeddableHeaders = { ...securityHeaders, "cross-origin-resource-policy": "cross-origin" }
