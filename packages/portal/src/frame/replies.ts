import type { Reply } from "@pixcharge/core"
import { html, pageReply } from "@pixcharge/web"
import { portalCss, portalJs } from "../assets.ts"
import type { Content } from "./Content.ts"
import { frameTexts, type Problem } from "./frameTexts.ts"
import { bareLayout, layout } from "./layout.ts"
import type { View } from "./View.ts"

/** When to try again after something was out of reach, or too much ran at once. */
const retryAfterSeconds = "5"

/** The status of a page; with 429 and 503, also when to try again. */
const statusFields = ({ status = 200 }: Content) => ({
  status,
  ...((status === 429 || status === 503) && { headers: { "retry-after": retryAfterSeconds } }),
})

/** A page of a company, with the notice of the action before it. */
export const viewReply = (view: View, content: Content, notice?: string): Promise<Reply> =>
  pageReply({
    title: `${content.title} · ${view.companyName} · ${frameTexts.portal}`,
    lang: "pt-BR",
    root: view.root,
    styles: [portalCss, ...(content.styles ?? [])],
    scripts: [portalJs],
    ...statusFields(content),
    body: layout(view, content, notice),
  })

/** A page of the portal that is about no company. */
export const bareReply = (root: string, content: Content): Promise<Reply> =>
  pageReply({
    title: `${content.title} · ${frameTexts.portal}`,
    lang: "pt-BR",
    root,
    styles: [portalCss],
    ...statusFields(content),
    body: bareLayout(content),
  })

const problemContent = ({ status, title, text }: Problem): Content => ({
  status,
  title,
  body: html`<p class="notice" data-tone="bad">${text}</p>`,
})

/** A problem within the portal's navigation. */
export const viewProblem = (view: View, problem: Problem): Promise<Reply> => viewReply(view, problemContent(problem))

/** A problem without the portal's navigation; `signIn` is where to sign in again. */
export const bareProblem = (root: string, problem: Problem, signIn?: string): Promise<Reply> => {
  const content = problemContent(problem)
  const body =
    signIn === undefined
      ? content.body
      : html`${content.body}
          <p><a class="button" href="${signIn}">${frameTexts.signIn}</a></p>`
  return bareReply(root, { ...content, body })
}
