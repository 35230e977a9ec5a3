import type { Reply } from "@pixcharge/core"
import { securityHeaders } from "./securityHeaders.ts"

/** All but visible ASCII: a header can't hold it, nor a URL unencoded. */
const unwritable = /[^\x21-\x7e]+/g

/**
 * Leads to another page after a form (303).
 *
 * `location` is relative to the page, as links are: `root + "charges"`. What a header can't hold is percent-encoded, so that a
 * stranger's text in a path can't end a header.
 */
export const redirectReply = (location: string): Reply => ({
  status: 303,
  headers: {
    ...securityHeaders,
    "cache-control": "no-store",
    location: location.replaceAll(unwritable, encodeURIComponent),
  },
  body: "",
})
