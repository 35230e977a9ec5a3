import type { Reply } from "@pixcharge/core"
import { securityHeaders } from "./securityHeaders.ts"

/** To another page after a form (303); `location` is relative to the page, as links are: `root + "charges"`. */
export const redirectReply = (location: string): Reply => ({
  status: 303,
  headers: { ...securityHeaders, "cache-control": "no-store", location },
  body: "",
})
