import type { Exchange, Reply } from "@pixcharge/core"
import { html, pageReply } from "@pixcharge/web"
import { checkoutCss } from "../assets.ts"
import type { Problem } from "../Pages.ts"
import { pageTexts } from "./pageTexts.ts"
import { wayOf } from "./wayOf.ts"

/** Problems that pass: the page of the link is worth another try. */
const passing = new Set<Problem["kind"]>(["unavailable", "renewalFailed"])

/** Why there is nothing to see, in words that say nothing of any charge. */
export const problemPage = ({ kind, status, headers }: Problem, exchange: Exchange): Promise<Reply> => {
  const { root, link } = wayOf(exchange)
  const [title, text] = pageTexts.problems[kind]
  return pageReply({
    title,
    lang: "pt-BR",
    root,
    styles: [checkoutCss],
    status,
    headers,
    body: html`<main class="checkout">
      <div class="pix" data-status="problem">
        <div class="head"><h1>${title}</h1></div>
        <div class="main next">
          <p>${text}</p>
          ${passing.has(kind) && html`<p><a class="act quiet" href="${link}">${pageTexts.tryAgain}</a></p>`}
        </div>
      </div>
    </main>`,
  })
}
