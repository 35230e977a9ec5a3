import type { Reply } from "@pixcharge/core"
import { makeAssetReply, securityHeaders } from "@pixcharge/web"
import { checkoutCss, checkoutJs, elementJs } from "../assets.ts"
import type { Pages } from "../Pages.ts"
import { qrPng } from "../qr/qrPng.ts"
import { qrSvg } from "../qr/qrSvg.ts"
import { checkoutPage } from "./checkoutPage.ts"
import { problemPage } from "./problemPage.ts"
import { receiptPage } from "./receiptPage.ts"

const assetReply = makeAssetReply([checkoutCss, checkoutJs, elementJs])

/** Pages of a merchant's show these, too. */
const anywhere = { ...securityHeaders, "cross-origin-resource-policy": "cross-origin" }

const picture = (type: string, body: string | Uint8Array): Reply => ({
  status: 200,
  headers: { ...anywhere, "content-type": type, "cache-control": "no-store" },
  body,
})

/** What payers see below a link. */
export const pages: Pages = {
  page: (view) => {
    const { brCode } = view.snapshot
    switch (view.path) {
      case "":
        return checkoutPage(view)
      case "/comprovante":
        return receiptPage(view)
      case "/qr.svg":
        return brCode === undefined ? undefined : picture("image/svg+xml", qrSvg(brCode))
      case "/qr.png":
        return brCode === undefined ? undefined : picture("image/png", qrPng(brCode))
      default:
        return undefined
    }
  },
  problem: problemPage,
  asset: (name, exchange) => {
    const reply = assetReply(exchange, `/assets/${name}`)
    return reply && { ...reply, headers: { ...anywhere, ...reply.headers } }
  },
}
