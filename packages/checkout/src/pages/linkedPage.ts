import type { Reply } from "@pixcharge/core"
import { qrSvg } from "@pixcharge/web"
import * as Effect from "effect/Effect"
import { qrPng } from "../qr/qrPng.ts"
import type { LinkRequest } from "../routes/LinkRequest.ts"
import type { State } from "../state/State.ts"
import { checkoutPage } from "./checkoutPage.ts"
import { embeddableHeaders } from "./assetReply.ts"
import { receiptPage } from "./receiptPage.ts"
import type { ShopFace } from "./ShopFace.ts"

const pictureReply = (type: string, body: string | Uint8Array): Reply => ({
  status: 200,
  headers: { ...embeddableHeaders, "content-type": type, "cache-control": "no-store" },
  body,
})

/** What payers see at a path below a link; undefined if there is no such page, or not at present. Pages alone need the shop. */
export const linkedPage = (
  request: LinkRequest,
  state: State,
  shop: Effect.Effect<ShopFace>,
): Effect.Effect<Reply> | undefined => {
  const { brCode, payment } = state.snapshot
  const render = (page: (face: ShopFace) => Promise<Reply>) =>
    Effect.flatMap(shop, (face) => Effect.promise(() => page(face)))
  switch (request.path) {
    case "":
      return render((face) => checkoutPage(request, face, state))
    case "/comprovante":
      return payment && render((face) => receiptPage(request, face, state.snapshot, payment))
    case "/qr.svg":
      return brCode === undefined ? undefined : Effect.sync(() => pictureReply("image/svg+xml", qrSvg(brCode)))
    case "/qr.png":
      return brCode === undefined ? undefined : Effect.sync(() => pictureReply("image/png", qrPng(brCode)))
    default:
      return undefined
  }
}
