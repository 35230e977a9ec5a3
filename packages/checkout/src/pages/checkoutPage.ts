import type { Reply } from "@pixcharge/core"
import { formatsFor, html, pageReply, raw } from "@pixcharge/web"
import { checkoutCss, checkoutJs } from "../assets.ts"
import type { LinkRequest } from "../routes/LinkRequest.ts"
import { type State, stateBody } from "../state/State.ts"
import { checkoutFrame } from "../view/checkoutFrame.ts"
import { checkoutParts } from "../view/checkoutParts.ts"
import { linksBelow } from "../view/linksBelow.ts"
import { markup } from "../view/markup.ts"
import { pageTitle } from "../view/pageTitle.ts"
import { readState } from "../wire/readState.ts"
import { pageTexts } from "./pageTexts.ts"
import { findLinks } from "./findLinks.ts"

/** The page on which a payer pays: complete without script, live with it. */
export const checkoutPage = ({ exchange, now }: LinkRequest, found: State): Promise<Reply> => {
  const { root, link } = findLinks(exchange)
  const state = readState(stateBody(found, now))
  const context = { formats: formatsFor("pt-BR"), links: linksBelow(link), isEmbedded: false, isLive: false } as const
  const parts = checkoutParts(state, now, context)
  const reload =
    !state.isFinal && markup`<noscript><p class="reload"><a href="${link}">${pageTexts.reload}</a></p></noscript>`
  return pageReply({
    title: pageTitle(state, state.payee.name),
    lang: "pt-BR",
    root,
    styles: [checkoutCss],
    scripts: [checkoutJs],
    body: html`<main class="checkout" data-checkout="${link}" data-shop="${state.payee.name}">
      ${raw(checkoutFrame(parts, state, reload).text)}
    </main>`,
  })
}
