import type { Exchange } from "@pixcharge/core"

/**
 * Whether a browser says that another site's page sent the request.
 *
 * Programs and browsers that send no such header count as the own site. `Origin` is `null` on forms of pages that send no
 * referrer, as ours.
 */
export const isCrossSite = (exchange: Pick<Exchange, "header">): boolean => {
  const site = exchange.header("sec-fetch-site")
  if (site !== undefined) return site !== "same-origin" && site !== "none"
  const origin = exchange.header("origin")
  if (origin === undefined || origin === "null") return false
  return origin.replace(/^[a-z][a-z\d+.-]*:\/\//i, "").toLowerCase() !== exchange.header("host")?.toLowerCase()
}
