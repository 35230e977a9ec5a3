import type { Reply } from "@pixcharge/core"
import { qrSvg } from "@pixcharge/web"
import { qrPng } from "../qr/qrPng.ts"
import type { LinkRequest } from "../routes/LinkRequest.ts"
import type { State } from "../state/State.ts"
import { checkoutPage } from "./checkoutPage.ts"
import { embeddableHeaders } from "./assetReply.ts"
import { receiptPage } from "./receiptPage.ts"

const pictureReply = (type: string, body: string | Uint8Array): Reply => ({
  status: 200,
  headers: { ...embeddableHeaders, "content-type": type, "cache-control": "no-store" },
  body,
})

/** What payers see at a path below a link; undefined if there is no such page, or not at present. */
export const linkedPage = (request: LinkRequest, state: State): Reply | Promise<Reply> | undefined => {
  const { brCode } = state.snapshot
  switch (request.path) {
    case "":
      return checkoutPage(request, state)
    case "/comprovante":
      return receiptPage(request, state)
    case "/qr.svg":
      return brCode === undefined ? undefined : pictureReply("image/svg+xml", qrSvg(brCode))
    case "/qr.png":
      return brCode === undefined ? undefined : pictureReply("image/png", qrPng(brCode))
    default:
      return undefined
  }
}
