import type { Reply } from "@pixcharge/core"
import type { Pix } from "@pixcharge/embed"
import { type Csrf, type Form, makeCsrf, type PageRequest, redirectReply } from "@pixcharge/web"
import type { Authorize } from "./Access.ts"
import { admit } from "./admit.ts"
import type { Content, Outcome } from "./Content.ts"
import { type ErrorText, errorText } from "./errorTexts.ts"
import { problems } from "./frameTexts.ts"
import { makeNotices, noticeField } from "./makeNotices.ts"
import { makeOnce } from "./makeOnce.ts"
import { formReader, isActionKey, keyField, makeView, tokenField } from "./makeView.ts"
import type { PortalRoute } from "./PortalRoute.ts"
import { bareProblem, viewProblem, viewReply } from "./replies.ts"
import type { View } from "./View.ts"

type ActionRoute = Extract<PortalRoute, { readonly kind: "action" }>

/** What is kept of an action: its outcome, or why it was refused. */
type KeptOutcome = Outcome | { readonly refusal: ErrorText }

/** Runs an action. Rejects where the same call may succeed later, so that its failure isn't kept. */
const runAction = async (
  { handle }: ActionRoute,
  view: View,
  actionKey: string,
  fields: Form,
): Promise<KeptOutcome> => {
  try {
    return await handle({ actionKey, ...view } as never, fields)
  } catch (error) {
    const refusal = errorText(error)
    if (refusal === undefined || refusal.isTransient) throw error
    return { refusal }
  }
}

/** Answers the pages and forms of one portal, to those whom its host admits. */
export class PortalFrame {
  readonly #pix: Pix
  readonly #authorize: Authorize
  readonly #csrf: Csrf
  readonly #notices: ReturnType<typeof makeNotices>
  readonly #once: ReturnType<typeof makeOnce<KeptOutcome>>

  constructor(pix: Pix, authorize: Authorize) {
    const { now } = pix.clock
    this.#pix = pix
    this.#authorize = authorize
    this.#csrf = makeCsrf(pix.tokens.signatures("portal csrf"), now)
    this.#notices = makeNotices(pix.tokens.signatures("portal notices"), now)
    this.#once = makeOnce(now)
  }

  async answer(route: PortalRoute, request: PageRequest<":cnpj">): Promise<Reply> {
    const access = await admit(this.#authorize, request)
    if (!("companies" in access)) return access
    const company = access.companies.find(({ cnpj }) => cnpj === request.params.cnpj)
    if (company === undefined) return bareProblem(request.root, problems.notFound)
    const view = makeView(this.#pix, this.#csrf, access, company, route, request)
    if (!view.may("read") || !view.may(route.right)) return viewProblem(view, problems.noRight)
    try {
      return await this.#answerView(route, view)
    } catch (error) {
      const refusal = errorText(error)
      if (refusal === undefined) throw error
      const text = route.kind === "action" ? refusal.text : (refusal.readingText ?? refusal.text)
      return viewProblem(view, { ...refusal, text })
    }
  }

  async #answerView(route: PortalRoute, view: View): Promise<Reply> {
    if (route.kind === "page") return this.#reply(view, await route.handle(view as View<never>))
    const form = await this.#readOwnForm(view)
    if (form === undefined) return viewProblem(view, problems.foreignForm)
    if (route.kind === "query") return this.#reply(view, await route.handle(view as View<never>, form))
    return this.#answerAction(route, view, form)
  }

  /** The form, if a page of ours was made for its sender. */
  async #readOwnForm({ who, company, exchange, form }: View): Promise<Form | undefined> {
    const fields = await form()
    return (await this.#csrf.isOwn(exchange, formReader(who, company), fields[tokenField])) ? fields : undefined
  }

  async #reply(view: View, answer: Content | Reply): Promise<Reply> {
    if (!("title" in answer)) return answer
    return viewReply(view, answer, await this.#notices.read(view, view.query.get(noticeField) ?? ""))
  }

  async #answerAction(route: ActionRoute, view: View, form: Form): Promise<Reply> {
    const { [tokenField]: _, [keyField]: actionKey = "", ...fields } = form
    if (!isActionKey(actionKey)) return viewProblem(view, problems.foreignForm)
    const [path] = view.exchange.url.split("?", 1)
    const name = JSON.stringify([view.who, path, actionKey])
    const run = () => runAction(route, view, actionKey, fields)
    const outcome = await this.#once(name, JSON.stringify(fields), run)
    return outcome === undefined ? viewProblem(view, problems.usedForm) : this.#outcomeReply(view, outcome)
  }

  async #outcomeReply(view: View, outcome: KeptOutcome): Promise<Reply> {
    if ("refusal" in outcome) return viewProblem(view, outcome.refusal)
    if ("page" in outcome) return viewReply(view, await outcome.page(view))
    const { to, notice } = outcome
    if (notice === undefined) return redirectReply(view.link(to))
    const mark = to.includes("?") ? "&" : "?"
    return redirectReply(`${view.link(to)}${mark}${noticeField}=${await this.#notices.write(view, notice)}`)
  }
}
