import type { Exchange, Reply } from "@pixcharge/core"
import { makeAssetReply, securityHeaders } from "@pixcharge/web"
import { checkoutCss, checkoutJs, elementJs, recurrenceJs } from "../assets.ts"

/** Headers of what a merchant's own pages show as well. */
export const embeddableHeaders = { ...securityHeaders, "cross-origin-resource-policy": "cross-origin" }

const replyToAsset = makeAssetReply([checkoutCss, checkoutJs, elementJs, recurrenceJs])

/** A script, a style or an image by its path, `/assets/checkout.js`; undefined for any other path. */
export const assetReply = (exchange: Exchange, path: string): Reply | undefined => {
  const reply = replyToAsset(exchange, path)
  return reply && { ...reply, headers: { ...embeddableHeaders, ...reply.headers } }
}
