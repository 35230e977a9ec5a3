import type { Exchange, Reply } from "@pixcharge/core"
import { html, pageReply } from "@pixcharge/web"
import { checkoutCss } from "../assets.ts"
import { pageTexts } from "./pageTexts.ts"
import { findLinks } from "./findLinks.ts"

/** Why a payer's request gets no page. */
export interface Problem {
  readonly kind:
    /** The link is not signed by us, or has no such page below it (404). */
    | "unknown"
    /** The link has expired (410). */
    | "expired"
    /** The store or the directory is out of reach (503). */
    | "unavailable"
    /** The host issued no new charge (503). */
    | "renewalFailed"
    /** The path has no such method (405). */
    | "method"
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** Problems that may be over soon: the page offers another try. */
const transient = new Set<Problem["kind"]>(["unavailable", "renewalFailed"])

/** Says why there is no page, and nothing of any charge. */
export const problemPage = ({ kind, status, headers }: Problem, exchange: Exchange): Promise<Reply> => {
  const { root, link } = findLinks(exchange)
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
          ${transient.has(kind) && html`<p><a class="act quiet" href="${link}">${pageTexts.tryAgain}</a></p>`}
        </div>
      </div>
    </main>`,
  })
}
