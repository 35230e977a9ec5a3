import type { Exchange, Reply } from "@pixcharge/core"
import { isPixError } from "@pixcharge/embed"
import { type Form, type PageRequest, redirectReply } from "@pixcharge/web"
import type { ConsoleContext } from "../ConsoleContext.ts"
import type { Notice } from "../Notices.ts"
import { who } from "../pages/formToken.ts"
import { FormProblem } from "./FormProblem.ts"

/** What an action is given. */
export interface ActionRequest {
  readonly params: Readonly<Record<string, string>>
  readonly form: Form
}

/** Changes something, and says what came of it. */
export type Action = (context: ConsoleContext, request: ActionRequest) => Promise<Notice>

/** Pages to which an action goes back, as links from the root. */
const ownPage = /^(?:console\/(?:charges\/[\da-f-]{36}|events(?:\/[\w-]{1,80})?|calls))?$/

/** Throws a `FormProblem` unless one of our own pages sent the form. */
export const checkOwnForm = async ({ csrf }: ConsoleContext, exchange: Exchange, form: Form): Promise<void> => {
  if (!(await csrf.isOwn(exchange, who, form["csrf"]))) {
    throw new FormProblem("This form is not from a page of this console, or is too old. Load the page anew.", 403)
  }
}

const problemOf = (error: unknown): Notice => {
  if (isPixError(error)) return { tone: "bad", text: `${error._tag}: ${error.message}` }
  if (error instanceof FormProblem && error.status === 422) return { tone: "bad", text: error.message }
  throw error
}

/** The handler of an action's form: it goes back to the page, which says what came of it. */
export const act =
  (context: ConsoleContext, action: Action) =>
  async <Path extends string>(request: PageRequest<Path>): Promise<Reply> => {
    const form = await request.form()
    await checkOwnForm(context, request.exchange, form)
    const { back = "" } = form
    const notice = await action(context, { params: request.params, form }).catch(problemOf)
    const name = context.notices.keep(notice)
    return redirectReply(`${request.root}${ownPage.test(back) ? back : ""}?notice=${name}`)
  }
