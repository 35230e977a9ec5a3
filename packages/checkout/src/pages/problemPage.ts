import type { Exchange, Reply } from "@pixcharge/core"
import { html, pageReply } from "@pixcharge/web"
import * as Effect from "effect/Effect"
import { checkoutCss } from "../assets.ts"
import { jsonReply, pollSeconds, wantsJson } from "../wire/replies.ts"
import { type Problem, problemTexts } from "../wire/problemTexts.ts"
import { findLinks } from "./pageParts.ts"
import { pageTexts } from "./pageTexts.ts"

const transient = new Set<Problem["kind"]>(["unavailable", "renewalFailed"])

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

const retrySoon = { "retry-after": String(pollSeconds) }

export const problems = {
  unknown: { kind: "unknown", status: 404, headers: {} },
  expired: { kind: "expired", status: 410, headers: {} },
  unavailable: { kind: "unavailable", status: 503, headers: retrySoon },
  renewalFailed: { kind: "renewalFailed", status: 503, headers: retrySoon },
} as const satisfies Readonly<Record<string, Problem>>

export const wrongMethod = (allow: string): Problem => ({ kind: "method", status: 405, headers: { allow } })

/** JSON if a script requested `/estado` or a new code, else a page. `path` is the rest of the path after the link. */
export const problemReply = (exchange: Exchange, path: string, problem: Problem): Effect.Effect<Reply> => {
  const { kind, status, headers } = problem
  return path === "/estado" || (path === "/novo" && wantsJson(exchange))
    ? Effect.succeed(jsonReply(status, { erro: problemTexts[kind] }, headers))
    : Effect.promise(() => problemPage(problem, exchange))
}
