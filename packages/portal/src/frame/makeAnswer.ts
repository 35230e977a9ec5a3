import type { Exchange, Reply } from "@pixcharge/core"
import type { Pix } from "@pixcharge/embed"
import { type Form, makeCsrf, type PageRequest, redirectReply } from "@pixcharge/web"
import type { Authorize, PortalVisit } from "./Access.ts"
import { type Access, checkAccess } from "./checkAccess.ts"
import type { Content, Outcome } from "./Content.ts"
import { type ErrorText, errorText } from "./errorTexts.ts"
import { problems } from "./frameTexts.ts"
import { makeNotices, noticeField } from "./makeNotices.ts"
import { makeOnce } from "./makeOnce.ts"
import { formReader, isActionKey, keyField, makeView, tokenField } from "./makeView.ts"
import type { PortalRoute } from "./PortalRoute.ts"
import { bareProblem, viewProblem, viewReply } from "./replies.ts"
import type { View } from "./View.ts"

type RouteOf<Kind> = Extract<PortalRoute, { readonly kind: Kind }>
type Granted = Extract<Access, { readonly _tag: "Granted" }>

/** What is kept of an action: how it ended, its refusal included. */
type Kept = Outcome | { readonly refusal: ErrorText }

const visitOf = (exchange: Exchange): PortalVisit => ({
  method: exchange.method,
  url: exchange.fullUrl,
  address: exchange.address,
  frameworkRequest: exchange.frameworkRequest,
  header: (name) => exchange.header(name),
})

/** Answers somebody who wasn't let in; undefined for whoever was. */
const refusalReply = (access: Access, { exchange, root }: PageRequest): Promise<Reply> | Reply | undefined => {
  switch (access._tag) {
    case "Refused":
      return bareProblem(root, problems.refused)
    case "Redirected":
      // A form must not get lost on its way to a sign-in: who sent it is told that nothing was done.
      return exchange.method === "POST"
        ? bareProblem(root, problems.signedOut, access.location)
        : redirectReply(access.location)
    case "Granted":
      return access.companies.length === 0 ? bareProblem(root, problems.refused) : undefined
  }
}

/** Answers the pages and forms of one portal, to those whom its host lets in. */
export const makeAnswer = (pix: Pix, authorize: Authorize) => {
  const { now } = pix.clock
  const csrf = makeCsrf(pix.tokens.signatures("portal csrf"), now)
  const notices = makeNotices(pix.tokens.signatures("portal notices"), now)
  const once = makeOnce<Kept>(now)

  const made = async (view: View, answer: Content | Reply): Promise<Reply> =>
    "title" in answer ? viewReply(view, answer, await notices.read(view, view.query.get(noticeField) ?? "")) : answer

  /** The form, if a page of ours was made for its sender. */
  const ownForm = async (view: View, { exchange, form }: PageRequest): Promise<Form | undefined> => {
    const fields = await form()
    const reader = formReader(view.who, view.company)
    return (await csrf.isOwn(exchange, reader, fields[tokenField])) ? fields : undefined
  }

  const answerQuery = async ({ handle }: RouteOf<"query">, view: View, request: PageRequest): Promise<Reply> => {
    const form = await ownForm(view, request)
    if (form === undefined) return viewProblem(view, problems.foreignForm)
    return made(view, await handle(view as View<never>, form))
  }

  const outcomeReply = async (view: View, outcome: Kept): Promise<Reply> => {
    if ("refusal" in outcome) return viewProblem(view, outcome.refusal)
    if ("page" in outcome) return viewReply(view, await outcome.page(view))
    const { to, notice } = outcome
    if (notice === undefined) return redirectReply(view.link(to))
    const mark = to.includes("?") ? "&" : "?"
    return redirectReply(`${view.link(to)}${mark}${noticeField}=${await notices.write(view, notice)}`)
  }

  const answerAction = async (route: RouteOf<"action">, view: View, request: PageRequest): Promise<Reply> => {
    const form = await ownForm(view, request)
    const { [tokenField]: _, [keyField]: actionKey = "", ...fields } = form ?? {}
    if (!isActionKey(actionKey)) return viewProblem(view, problems.foreignForm)
    const run = async (): Promise<Kept> => {
      try {
        return await route.handle({ ...view, actionKey } as never, fields)
      } catch (error) {
        const refusal = errorText(error)
        if (refusal === undefined || refusal.isTransient) throw error
        return { refusal }
      }
    }
    const [path] = request.exchange.url.split("?", 1)
    const name = JSON.stringify([view.who, path, actionKey])
    const kept = await once(name, JSON.stringify(fields), run)
    return kept === undefined ? viewProblem(view, problems.usedForm) : outcomeReply(view, kept)
  }

  const answerView = async (route: PortalRoute, view: View, request: PageRequest): Promise<Reply> => {
    switch (route.kind) {
      case "page":
        return made(view, await route.handle(view as View<never>))
      case "query":
        return answerQuery(route, view, request)
      case "action":
        return answerAction(route, view, request)
    }
  }

  /** Who asks, as the host says; or the answer to somebody whom it doesn't let in. */
  const admit = async (request: PageRequest): Promise<Granted | Reply> => {
    const access = checkAccess(await authorize(visitOf(request.exchange)))
    return (await refusalReply(access, request)) ?? (access as Granted)
  }

  const answer = async (route: PortalRoute, request: PageRequest<":cnpj">): Promise<Reply> => {
    const access = await admit(request)
    if (!("_tag" in access)) return access
    const company = access.companies.find(({ cnpj }) => cnpj === request.params.cnpj)
    if (company === undefined) return bareProblem(request.root, problems.notFound)
    const view = makeView(pix, csrf, access, company, route, request)
    if (!view.may("read") || !view.may(route.right)) return viewProblem(view, problems.noRight)
    try {
      return await answerView(route, view, request)
    } catch (error) {
      const known = errorText(error)
      if (known === undefined) throw error
      const text = route.kind === "action" ? known.text : (known.textOfReading ?? known.text)
      return viewProblem(view, { ...known, text })
    }
  }

  return { admit, answer }
}
