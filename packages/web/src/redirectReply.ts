import type { Reply } from "@pixcharge/core"
import { securityHeaders } from "./securityHeaders.ts"

/** What no header may hold, and no URL unencoded: all but visible ASCII. */
const unwritable = /[^\x21-\x7e]+/g

/**
 * To another page after a form (303); `location` is relative to the page, as links are: `root + "charges"`. What a header can't hold
 * is percent-encoded, so that a stranger's text in a path ends no header.
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
