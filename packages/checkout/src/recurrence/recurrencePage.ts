import type { Reply } from "@pixcharge/core"
import { formatsFor, html, pageReply, raw } from "@pixcharge/web"
import { checkoutCss, recurrenceJs } from "../assets.ts"
import { brandedHead } from "../pages/brandedHead.ts"
import { findLinks } from "../pages/findLinks.ts"
import { brandMark, pageTools, type ShopFace } from "../pages/ShopFace.ts"
import type { LinkRequest } from "../routes/LinkRequest.ts"
import { checkoutFrame } from "../view/checkoutFrame.ts"
import { linksBelow } from "../view/linksBelow.ts"
import { markup } from "../view/markup.ts"
import { eachCycle, recurrenceParts, recurrenceTitle } from "./recurrenceParts.ts"
import type { RecurrenceSnapshot } from "./RecurrenceSnapshot.ts"
import type { RecurrenceState } from "./RecurrenceState.ts"
import { recurrenceTexts } from "./recurrenceTexts.ts"

/** The looks of a charge's states, which a recurrence shares. */
const looks = {
  preparing: "pending",
  offered: "pending",
  approved: "paid",
  ended: "cancelled",
} as const satisfies Readonly<Record<RecurrenceSnapshot["status"], string>>

/** The page on which a payer authorises a recurrence: complete without script, live with it. */
export const recurrencePage = ({ exchange }: LinkRequest, shop: ShopFace, found: RecurrenceState): Promise<Reply> => {
  const { root, link } = findLinks(exchange)
  const { id, snapshot } = found
  const context = { formats: formatsFor("pt-BR"), links: linksBelow(link), isEmbedded: false, isLive: false } as const
  const shopName = shop.branding.name ?? snapshot.payeeName
  const title = [recurrenceTitle(snapshot), snapshot.title, shopName].join(" · ")
  const view = checkoutFrame(
    recurrenceParts(snapshot, context),
    { id, status: looks[snapshot.status] },
    {
      top: brandMark(shop, link, snapshot.payeeName),
      between:
        !snapshot.isFinal &&
        markup`<noscript><p class="reload"><a href="${link}">${recurrenceTexts.reload}</a></p></noscript>`,
      bottom: pageTools(shop),
    },
  )
  return pageReply({
    title,
    lang: "pt-BR",
    root,
    head: brandedHead(shop, link, { title, text: eachCycle(snapshot, context.formats), shopName, path: "" }),
    styles: [checkoutCss],
    scripts: [recurrenceJs],
    body: html`<main class="checkout" data-recurrence="${link}">${raw(view.text)}</main>`,
  })
}
