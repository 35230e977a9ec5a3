import type { Exchange, Reply } from "@pixcharge/core"
import { makeAssetReply, qrSvg, securityHeaders } from "@pixcharge/web"
import * as Effect from "effect/Effect"
import { checkoutCss, checkoutJs, elementJs, recurrenceJs } from "../assets.ts"
import type { LinkRequest } from "../link/Capability.ts"
import type { RecurrenceState } from "../hub/RecurrenceState.ts"
import { recurrencePage } from "./recurrencePage.ts"
import type { State } from "../wire/State.ts"
import { checkoutPage } from "./checkoutPage.ts"
import type { ShopFace } from "./pageParts.ts"
import { qrPng } from "./qrPng.ts"
import { receiptPage } from "./receiptPage.ts"

const pictureReply = (type: string, body: string | Uint8Array): Reply => ({
  status: 200,
  headers: { ...embeddableHeaders, "content-type": type, "cache-control": "no-store" },
  body,
})

const renderFor =
  (shop: Effect.Effect<ShopFace>) =>
  (page: (face: ShopFace) => Promise<Reply>): Effect.Effect<Reply> =>
    Effect.flatMap(shop, (face) => Effect.promise(() => page(face)))

const codePicture = (path: string, brCode: string | undefined): Effect.Effect<Reply> | undefined => {
  if (brCode === undefined) return undefined
  if (path === "/qr.svg") return Effect.sync(() => pictureReply("image/svg+xml", qrSvg(brCode)))
  return path === "/qr.png" ? Effect.sync(() => pictureReply("image/png", qrPng(brCode))) : undefined
}

export const linkedRecurrencePage = (
  request: LinkRequest,
  state: RecurrenceState,
  shop: Effect.Effect<ShopFace>,
): Effect.Effect<Reply> | undefined =>
  request.path === ""
    ? renderFor(shop)((face) => recurrencePage(request, face, state))
    : codePicture(request.path, state.snapshot.brCode)

/** Undefined if the link has no page at this path now. */
export const linkedPage = (
  request: LinkRequest,
  state: State,
  shop: Effect.Effect<ShopFace>,
): Effect.Effect<Reply> | undefined => {
  const { brCode, payment } = state.snapshot
  const render = renderFor(shop)
  switch (request.path) {
    case "":
      return render((face) => checkoutPage(request, face, state))
    case "/comprovante":
      return payment && render((face) => receiptPage(request, face, state.snapshot, payment))
    default:
      return codePicture(request.path, brCode)
  }
}

/** Merchants' pages on other origins load these files, too. */
const embeddableHeaders = { ...securityHeaders, "cross-origin-resource-policy": "cross-origin" }

const replyToAsset = makeAssetReply([checkoutCss, checkoutJs, elementJs, recurrenceJs])

export const assetReply = (exchange: Exchange, path: string): Reply | undefined => {
  const reply = replyToAsset(exchange, path)
  return reply && { ...reply, headers: { ...embeddableHeaders, ...reply.headers } }
}
