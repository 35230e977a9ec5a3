import type { Exchange, Reply } from "@pixcharge/core"
import type { Pix } from "@pixcharge/embed"
import { type Csrf, type Form, makeCsrf, type PageRequest, redirectReply } from "@pixcharge/web"
import { asksForNews, liveKey, LivePages, liveReply, versionField } from "./LivePages.ts"
import { pageVersion } from "./liveLine.ts"
import { type Authorize, checkAccess, type GrantedAccess, type PortalVisit } from "./Access.ts"
import type { Live, PortalRoute } from "./PortalRoute.ts"
import type { Content, Outcome, View } from "./View.ts"
import { type ErrorText, errorText, problems } from "./errorTexts.ts"
import { bareProblem, viewProblem, viewReply } from "./layout.ts"
import { makeNotices, noticeField } from "./makeNotices.ts"
import { makeOnce } from "./makeOnce.ts"
import { formSender, isActionKey, keyField, makeSeals, makeView, type Seals, tokenField } from "./makeView.ts"

type ActionRoute = Extract<PortalRoute, { readonly kind: "action" }>

type ActionResult = Outcome | { readonly refusal: ErrorText }

const lastingRefusal = (error: unknown): ErrorText => {
  const refusal = errorText(error)
  if (refusal === undefined || refusal.isTransient) throw error
  return refusal
}

/** Rejects if the same call can succeed later, because `makeOnce` doesn't keep rejections. */
const runAction = async (
  { handle }: ActionRoute,
  view: View,
  actionKey: string,
  fields: Form,
): Promise<ActionResult> => {
  try {
    return await handle({ actionKey, ...view } as never, fields)
  } catch (error) {
    return { refusal: lastingRefusal(error) }
  }
}

const readVersion = async (read: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    const shown = await read()
    return shown === undefined ? undefined : await pageVersion(shown)
  } catch (error) {
    lastingRefusal(error)
    return undefined
  }
}

export class PortalFrame {
  readonly #pix: Pix
  readonly #authorize: Authorize
  readonly #csrf: Csrf
  readonly #seals: Seals
  readonly #notices: ReturnType<typeof makeNotices>
  readonly #once: ReturnType<typeof makeOnce<ActionResult>>
  readonly #live: LivePages

  constructor(pix: Pix, authorize: Authorize) {
    const { now } = pix.clock
    this.#pix = pix
    this.#authorize = authorize
    this.#live = new LivePages(pix.streamsEnd)
    this.#csrf = makeCsrf(pix.tokens.signatures("portal csrf"), now)
    this.#seals = makeSeals(pix.tokens.signatures("portal seals"), now)
    this.#notices = makeNotices(pix.tokens.signatures("portal notices"), now)
    const isFinal = (outcome: ActionResult) => !("correct" in outcome)
    this.#once = makeOnce(now, isFinal)
  }

  async answer(route: PortalRoute, request: PageRequest<":cnpj">): Promise<Reply> {
    const view = await this.#admit(route, request)
    if (!("company" in view)) return view
    try {
      return await this.#answerView(route, view)
    } catch (error) {
      const refusal = errorText(error)
      if (refusal === undefined) throw error
      const text = route.kind === "action" ? refusal.text : (refusal.readingText ?? refusal.text)
      return viewProblem(view, { ...refusal, text })
    }
  }

  async #admit(route: PortalRoute, request: PageRequest<":cnpj">): Promise<View | Reply> {
    const access = await admit(this.#authorize, request)
    if (!("companies" in access)) return access
    const company = access.companies.find(({ cnpj }) => cnpj === request.params.cnpj)
    if (company === undefined) return bareProblem(request.root, problems.notFound)
    const services = { pix: this.#pix, csrf: this.#csrf, seals: this.#seals }
    const view = makeView(services, { ...access, company }, route, request)
    return view.may("read") && view.may(route.right) ? view : viewProblem(view, problems.noRight)
  }

  async #answerView(route: PortalRoute, view: View): Promise<Reply> {
    if (route.kind === "page") {
      if (route.live !== undefined && asksForNews(view)) return this.#openStream(route, route.live, view)
      return this.#reply(view, await route.handle(view as View<never>))
    }
    const form = await this.#readOwnForm(view)
    if (form === undefined) return viewProblem(view, problems.foreignForm)
    if (route.kind === "query") return this.#reply(view, await route.handle(view as View<never>, form))
    return this.#answerAction(route, view, form)
  }

  async #openStream(route: PortalRoute, { look, everyMs }: Live, view: View): Promise<Reply> {
    const { company, who, exchange, query } = view
    const source = {
      everyMs,
      look: () => readVersion(() => look({ ...view, now: this.#pix.clock.now() } as View<never>)),
    }
    const reader = {
      company,
      operator: who,
      version: query.get(versionField) ?? "",
      mayRead: async () => "company" in (await this.#admit(route, view as PageRequest<":cnpj">)),
      signal: exchange.signal,
    }
    const stream = this.#live.open(liveKey(view), source, reader)
    return typeof stream === "number"
      ? viewProblem(view, { ...problems.tooManyPages, status: stream })
      : liveReply(stream)
  }

  /** Undefined unless the form's page was rendered for its sender. */
  async #readOwnForm({ who, company, exchange, form }: View): Promise<Form | undefined> {
    const fields = await form()
    return (await this.#csrf.isOwn(exchange, formSender(who, company), fields[tokenField])) ? fields : undefined
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

  async #outcomeReply(view: View, outcome: ActionResult): Promise<Reply> {
    if ("refusal" in outcome) return viewProblem(view, outcome.refusal)
    if ("page" in outcome) return viewReply(view, await outcome.page(view))
    if ("correct" in outcome) return viewReply(view, await outcome.correct(view))
    const { to, notice } = outcome
    if (notice === undefined) return redirectReply(view.link(to))
    const mark = to.includes("?") ? "&" : "?"
    return redirectReply(`${view.link(to)}${mark}${noticeField}=${await this.#notices.write(view, notice)}`)
  }
}

const makeVisit = (exchange: Exchange): PortalVisit => ({
  method: exchange.method,
  url: exchange.fullUrl,
  address: exchange.address,
  frameworkRequest: exchange.frameworkRequest,
  header: (name) => exchange.header(name),
})

/** Returns the operator's rights, or the reply to any other visitor. */
export const admit = async (
  authorize: Authorize,
  { exchange, root }: Pick<PageRequest, "exchange" | "root">,
): Promise<GrantedAccess | Reply> => {
  const access = checkAccess(await authorize(makeVisit(exchange)))
  if (access === undefined) return bareProblem(root, problems.refused)
  if ("companies" in access) return access.companies.length === 0 ? bareProblem(root, problems.refused) : access
  // A redirect to the sign-in would lose the form.
  return exchange.method === "POST"
    ? bareProblem(root, problems.signedOut, access.redirect)
    : redirectReply(access.redirect)
}
