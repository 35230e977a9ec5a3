import type { Reply } from "@pixcharge/core"
import { formatsFor, html, pageReply, raw } from "@pixcharge/web"
import { checkoutCss, checkoutJs } from "../assets.ts"
import type { PageView } from "../Pages.ts"
import { checkoutFrame } from "../view/checkoutFrame.ts"
import { checkoutParts } from "../view/checkoutParts.ts"
import { markup } from "../view/markup.ts"
import { texts } from "../view/texts.ts"
import { readState } from "../wire/readState.ts"
import { pageTexts } from "./pageTexts.ts"
import { wayOf } from "./wayOf.ts"

/** The page on which a payer pays: whole without script, and live with it. */
export const checkoutPage = ({ exchange, state: body }: PageView): Promise<Reply> => {
  const { root, link } = wayOf(exchange)
  const state = readState(body)
  const links = { qr: `${link}/qr.svg`, renew: `${link}/novo`, receipt: `${link}/comprovante` }
  const parts = checkoutParts(state, state.now, { formats: formatsFor("pt-BR"), links, heading: 1, isLive: false })
  const reload =
    !state.isFinal && markup`<noscript><p class="reload"><a href="${link}">${pageTexts.reload}</a></p></noscript>`
  return pageReply({
    title: `${texts.titles[state.status]} · ${state.payee.name}`,
    lang: "pt-BR",
    root,
    styles: [checkoutCss],
    scripts: [checkoutJs],
    body: html`<main class="checkout" data-checkout="${link}">${raw(checkoutFrame(parts, state, reload).text)}</main>`,
  })
}
